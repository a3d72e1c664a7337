"""What a relation calls things, in the words of this course: of tensors, or of numpy's arrays."""

from ...subject.tensors import TENSORS

__all__ = ["AXIS", "A_CARRIER", "LEAVE_ALONE", "ROUNDED", "SIZE"]

#: What holds many numbers.
A_CARRIER = "a tensor" if TENSORS else "an array"
#: The argument that says along which axis.
AXIS = "dim" if TENSORS else "axis"
#: How many numbers something of this name holds.
SIZE = "{}.numel()" if TENSORS else "{}.size"
LEAVE_ALONE = (
    "Work on a copy, or with an operation that makes a new tensor: no `+=`, no name that ends in an underscore."
    if TENSORS
    else "Work on a copy, or with an operation that makes a new array: no `+=`, no `out=`, no `x[...] = `, no `x.sort()`."
)
ROUNDED = (
    "Look for a step that is done in float32: `.float()`, a constant tensor, a buffer."
    if TENSORS
    else "Look for a step that is done in float32: `.astype(np.float32)`, an array made with `dtype=np.float32`."
)
