# Two images: `learner`, the lessons and their checks without an answer; `instructor`, the whole checkout with grader.
#   make release && docker build --target learner --tag embeddings .
#   docker build --target instructor --tag embeddings-grader .
#   --build-arg TORCH_INDEX=https://...   where torch comes from, if not from pip's own settings; it stays in the image's history
# docs/installing.md says how to run them, and which flags the walls around submissions need.

FROM python:3.12-slim-bookworm AS base
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore OMP_NUM_THREADS=1
ARG TORCH_INDEX=""
RUN useradd --create-home --uid 1000 --shell /bin/bash course
# A layer of its own, which both images share. Which torch will do stands in pyproject.toml, and is held to below.
RUN python -m pip install --quiet ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} torch

FROM base AS learner
WORKDIR /home/course/embedding-course
# The sealed tree of `make release`, and nothing else of the checkout.
COPY --chown=course:course build/release/embedding-course/ ./
RUN python -m pip install --quiet --editable ".[lab]" \
 && mkdir work \
 && chown course:course work
# JupyterLab answers outside of the container; its token stays.
RUN folder="$(python -c 'import sys; print(sys.prefix)')/etc/jupyter" \
 && mkdir -p "$folder" \
 && echo '{"ServerApp": {"ip": "0.0.0.0", "open_browser": false}}' > "$folder/jupyter_server_config.json"
USER course
# So that a volume which is mounted there begins with the copies, and belongs to their user.
RUN python -m embedding_course.lab --copy-only
EXPOSE 8888
CMD ["python", "-m", "embedding_course.lab"]

FROM base AS tools
RUN apt-get update -qq \
 && apt-get install --yes -qq --no-install-recommends git make postgresql-client \
 && rm -rf /var/lib/apt/lists/*

FROM tools AS instructor
WORKDIR /opt/embedding-course
COPY pyproject.toml environment.yml postBuild nbgrader_config.py Makefile README.md LICENSE ./
COPY embedding_course/ embedding_course/
COPY grader/ grader/
COPY data/ data/
COPY solutions/ solutions/
COPY notebooks/ notebooks/
COPY projects/ projects/
COPY docs/ docs/
RUN python -m pip install --quiet --editable ".[instructor,scale]"
RUN mkdir /class && chown course:course /class
USER course
WORKDIR /class
ENTRYPOINT ["grader"]
CMD ["--help"]
