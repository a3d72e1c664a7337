"""What the lessons work on: text, and the rules by which it is cut up."""
