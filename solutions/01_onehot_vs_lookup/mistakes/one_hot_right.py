# exercise 01.one_hot
import numpy as np
import torch
import torch.nn.functional as F


# right form comparison
def one_hot(ids, num_classes):
    if bool(((ids < 0) | (ids >= num_classes)).any()):
        raise ValueError("out of range")
    return ids[..., None] == torch.arange(num_classes)


# right form torch_built_in
def one_hot(ids, num_classes):
    if ids.numel() == 0:
        return torch.zeros(*ids.shape, num_classes, dtype=torch.int64)
    if int(ids.min()) < 0 or int(ids.max()) > num_classes - 1:
        raise ValueError
    return F.one_hot(ids, num_classes=num_classes)


# right form scatter
def one_hot(ids, num_classes):
    for index in ids.flatten().tolist():
        if index not in range(num_classes):
            raise ValueError(index)
    return torch.zeros(*ids.shape, num_classes, dtype=torch.uint8).scatter_(-1, ids.unsqueeze(-1), 1)


# right form numpy_loop
def one_hot(ids, num_classes):
    flat = ids.reshape(-1).numpy()
    rows = np.zeros((len(flat), num_classes))
    for place, index in enumerate(flat):
        if not 0 <= index < num_classes:
            raise ValueError("out of range")
        rows[place, index] = 1.0
    return torch.from_numpy(rows).reshape(*ids.shape, num_classes)


# right form axis_by_axis
def one_hot(ids, num_classes):
    if ids.dim() == 0:
        if not 0 <= int(ids) < num_classes:
            raise ValueError(f"{int(ids)} is out of range")
        return torch.tensor([float(index == int(ids)) for index in range(num_classes)])
    if ids.numel() == 0:
        return torch.empty(*ids.shape, num_classes)
    return torch.stack([one_hot(row, num_classes) for row in ids])


# right form half_precision
def one_hot(ids, num_classes):
    if ((ids < 0) | (ids >= num_classes)).any():
        raise ValueError(f"ids must be below {num_classes}")
    return torch.eye(num_classes, dtype=torch.float16)[ids]


# right form stacked_comparisons
def one_hot(ids, num_classes):
    class OutOfRange(ValueError):
        pass

    if any(not 0 <= index < num_classes for index in ids.reshape(-1).tolist()):
        raise OutOfRange
    return torch.stack([ids == index for index in range(num_classes)], dim=-1)


# right form bytes_scattered
def one_hot(ids, num_classes, check=True):
    if check and ids.numel() and not (ids.min() >= 0 and ids.max() < num_classes):
        raise ValueError
    return torch.zeros(*ids.shape, num_classes, dtype=torch.uint8).scatter_(-1, ids.unsqueeze(-1), 1)
