"""The red team: wrong submissions that try to gain marks, to learn secrets, or to harm others; and honest odd ones."""
