"""Small experiments that the notebooks run: each module holds one."""
