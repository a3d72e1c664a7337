"""Small experiments and measurements that the notebooks run: each module holds one. No exercise's answer is here."""
