"""`python -m embedding_course.lab [NN]`: open JupyterLab on your own copies of the notebooks."""

from .learner.lab.__main__ import main

if __name__ == "__main__":
    main()
