"""What an instructor runs: build, grade, try, audit, report, demo."""
