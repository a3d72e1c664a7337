"""What an instructor runs: build, grade, try, audit, report, demo."""

import sys
from pathlib import Path

from embedding_course.messages import look_also_in

# nbformat imports jsonschema, and that a grammar of web addresses whose compilation takes two seconds of processor time in
# every process of ours. No notebook's schema asks for that check; jsonschema does without it where it is not installed.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

look_also_in(Path(__file__).parent / "locale")
