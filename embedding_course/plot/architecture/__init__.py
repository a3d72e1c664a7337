"""Draw architectures as vector graphics: boxes and arrows, with the shapes of the tensors on the arrows."""
