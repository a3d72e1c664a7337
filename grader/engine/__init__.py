"""The engine: student code runs in one process, judgement in another, plain data between them."""
