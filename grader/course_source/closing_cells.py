"""The cells that every notebook ends with: look it over, then hand it in."""

from embedding_course.subject.course import course

HAND_IN = """\
## Before you hand in

Save first (Ctrl+S): the file is what counts. `doctor()` then runs it from nothing, as the grader does, and says what would
cost points: stubs left, cells that fail, names that live only in this kernel, files that the grader does not have.

`submit()` writes the file to hand in, with a receipt, into `submissions/`. It sends nothing, and what you wrote there
earlier stays. You may hand in with stubs left, and as often as you like."""

DOCTOR = f"from {course().package} import doctor, submit\n\ndoctor()"

#: Commented out, so that running all cells hands nothing in.
SUBMIT = "# submit()  # take the first # away when you want to hand in"
