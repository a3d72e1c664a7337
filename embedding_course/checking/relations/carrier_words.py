"""The words of sentences on the numbers of the course in use: for tensors, or for arrays of numpy."""

from ...messages import Message
from ...subject.tensors import TENSORS

#: What holds many numbers.
A_CARRIER = Message("a tensor") if TENSORS else Message("an array")
#: The argument that says along which axis.
AXIS = "dim" if TENSORS else "axis"
#: How many numbers something of this name holds.
SIZE = "{}.numel()" if TENSORS else "{}.size"
LEAVE_ALONE = (
    Message("Work on a copy, or with an operation that makes a new tensor: no `+=`, no name that ends in an underscore.")
    if TENSORS
    else Message(
        "Work on a copy, or with an operation that makes a new array: no `+=`, no `out=`, no `x[...] = `, no `x.sort()`."
    )
)
ROUNDED = (
    Message("Look for a step that is done in float32: `.float()`, a constant tensor, a buffer.")
    if TENSORS
    else Message("Look for a step that is done in float32: `.astype(np.float32)`, an array made with `dtype=np.float32`.")
)
