"""Are the checks right, the claims true, the walls tight, the marks cheap? What a maintainer runs."""
