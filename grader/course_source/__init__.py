"""What is read from `solutions/`: lessons, references, wrong answers; and the notebooks made of them."""
