"""Pictures of architectures: boxes and arrows, with the shapes of the tensors on the arrows. Drawn as vectors."""
