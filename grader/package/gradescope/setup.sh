#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image: Python, the packages that grading needs, the course.
#   EMBEDDING_COURSE_ROOT    where Gradescope's folders lie; /autograder unless said
#   EMBEDDING_COURSE_PYTHON  an interpreter to install into, where the image is your own; else an environment is made
set -euo pipefail
root="${EMBEDDING_COURSE_ROOT:-/autograder}"
here="$root/source"

fail() { echo "✘ $*" >&2; exit 1; }
# 3.11 or later, and able to make an environment, which Debian and Ubuntu leave to a package of its own.
fits() { command -v "$1" >/dev/null && "$1" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
find_python() {
  for name in python3 python3.13 python3.12 python3.11; do
    if fits "$name"; then echo "$name"; return 0; fi
  done
  return 1
}
apt_python() {
  command -v apt-get >/dev/null || return 0
  apt-get update -qq
  for names in "python3-venv" "python3.12 python3.12-venv" "python3.11 python3.11-venv"; do
    # shellcheck disable=SC2086 - two names are two packages
    apt-get install -y -qq $names >/dev/null 2>&1 || true
    if find_python >/dev/null; then return 0; fi
  done
}

if [ -n "${EMBEDDING_COURSE_PYTHON:-}" ]; then
  python="$EMBEDDING_COURSE_PYTHON"
else
  base="$(find_python)" || { apt_python; base="$(find_python)" || fail "Grading needs Python 3.11 or later with venv, and" \
    "this image has none that could be installed: choose a newer Ubuntu in the autograder's settings."; }
  "$base" -m venv "$root/venv"
  python="$root/venv/bin/python"
fi

install() { PIP_DISABLE_PIP_VERSION_CHECK=1 "$python" -m pip install --quiet --no-input "$@"; }
if compgen -G "$here/wheels/*.whl" >/dev/null; then
  # From that folder alone: settings of the image's pip could name other places, or forbid a version.
  PIP_CONFIG_FILE=/dev/null install --isolated --no-index --find-links "$here/wheels" --requirement "$here/requirements.txt"
else
  if [ -s "$here/torch_index.txt" ]; then
    install --index-url "$(cat "$here/torch_index.txt")" "$(grep '^torch[^a-z]' "$here/requirements.txt")"
  fi
  install --requirement "$here/requirements.txt"
fi

# Beside Python's packages and not among them: a submission sees those, and must not see the answers.
rm -rf "$here/course"
install --no-index --no-deps --target "$here/course" "$here"/own/*.whl
echo "$python" > "$here/python"

subjects=("$here"/course/*/subject.toml)  # of the one course that lies there
export COURSE_IN_USE="${subjects[0]%/subject.toml}"
PYTHONPATH="$here/course" "$python" -P -c 'import nbgrader, grader.marking.open_marker' ||
  fail "Something that grading needs cannot be imported: the lines above say what."
# The list of fonts takes a second to make; made here, no submission waits for it.
mkdir -p "$here/matplotlib"
MPLCONFIGDIR="$here/matplotlib" "$python" -P -c 'import matplotlib.font_manager' 2>/dev/null || true
echo "✔ The course is installed. Whether its walls hold is tried with each submission."
