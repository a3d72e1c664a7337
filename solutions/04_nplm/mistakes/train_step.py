# exercise 04.train_step
import torch


# base plain
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    optimizer.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


# mistake old_gradients_count (values), from plain
# The gradients are never cleared: backward adds to what is already there.
# Next: Call `optimizer.zero_grad()` before backward.
#   -    optimizer.zero_grad()


# mistake cleared_too_late (values)
# The gradients are cleared after the step: those that were there before the call still count in it.
# Next: Clear them first, before backward.
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    loss = loss_fn(model(x), y)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


# mistake nothing_moves (values), from cleared_too_late
# The parameters stay where they are.
# Next: Call zero_grad, backward and step in this order, on the model and the optimizer that were given.
#        loss.backward()
#   +    optimizer.zero_grad()
#   -    optimizer.zero_grad()


# mistake step_before_backward (values)
# The step comes before backward: it moves by the gradients of an earlier batch, or by none.
# Next: The order is zero_grad, backward, step.
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    loss = loss_fn(model(x), y)
    optimizer.step()
    optimizer.zero_grad()
    loss.backward()
    return loss.item()


# mistake loss_after_the_step (values), from plain
# The step is right; the loss returned is that of the model after it.
# Next: Return the loss that you called backward on.
#   -    loss = loss_fn(model(x), y)
#   -    loss.backward()
#   +    loss_fn(model(x), y).backward()
#   loss.item => loss_fn(model(x), y).item

# mistake target_first (raises, values), from plain
# loss_fn gets the targets first; it takes the model's output, then the targets.
# Next: Write `loss_fn(model(x), y)`.
#   model(x), y => y, model(x)

# mistake divided_by_the_rows (values), from plain
# The loss is divided by the number of rows once more; loss_fn has already decided on mean or sum.
# Next: Return what loss_fn returns, as a number.
#   loss.item() => loss.item() / len(x)

# mistake loss_of_the_whole_batch (values), from plain
# The loss is multiplied by the number of rows; loss_fn has already decided on mean or sum.
# Next: Return what loss_fn returns, as a number.
#   loss.item() => loss.item() * x.shape[0]

# mistake nothing_returned (type), from plain
# The step is right, and nothing is returned.
# Next: Return the loss as a number: `loss.item()`.
#   -    return loss.item()


# mistake one_row_after_the_other (values)
# Each row of the batch gets a step of its own, but the exercise asks for one step on the whole batch.
# Next: Call the model once, on all of x.
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    total = 0.0
    for row in range(len(x)):
        optimizer.zero_grad()
        loss = loss_fn(model(x[row : row + 1]), y[row : row + 1])
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(x)


# mistake two_steps (values), from plain
# The parameters move as if `step()` or `backward()` had been called twice.
# Next: One `backward()` and one `optimizer.step()` for each batch.
#        optimizer.step()
#   +    optimizer.step()

# mistake an_optimizer_of_its_own (values), from plain
# A new SGD is made in each call; the optimizer that was given, with its memory and its settings, is not used.
# Next: Call `step()` on the optimizer that you were given.
#   -    optimizer.zero_grad()
#   +    sgd = torch.optim.SGD(model.parameters(), lr=optimizer.param_groups[-1]["lr"])
#   +    sgd.zero_grad()
#   optimizer.step => sgd.step

# mistake gradient_descent_by_hand (values, raises), from plain
# Every parameter moves by lr times its gradient, whatever the optimizer: that is plain SGD.
# Next: Call `optimizer.step()`: it knows its rule, its groups and which parameters are frozen.
#   optimizer.zero_grad => model.zero_grad
#   -    optimizer.step()
#   +    with torch.no_grad():
#   +        for parameter in model.parameters():
#   +            parameter -= optimizer.param_groups[0]["lr"] * parameter.grad

# mistake gradients_cleared_by_hand (raises), from plain
# `.grad.zero_()` fails before the first backward: a parameter without a gradient has None there.
# Next: Use `optimizer.zero_grad()`, which knows that case.
#   -    optimizer.zero_grad()
#   +    for parameter in model.parameters():
#   +        parameter.grad.zero_()

# mistake gradients_clipped (values), from plain
# The gradients are clipped to norm 1; the task has no clipping.
# Next: Leave clipping to the caller: the step uses the gradient unchanged.
#        loss.backward()
#   +    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)

# mistake no_graph (raises), from plain
# The model runs under `no_grad`: there is nothing to go backward through.
# Next: `no_grad` belongs to evaluation; leave it out here.
#   -    loss = loss_fn(model(x), y)
#   +    with torch.no_grad():
#   +        loss = loss_fn(model(x), y)

# mistake loss_on_a_list (shape), from plain
# The loss comes back in a tensor or list with an axis; a single number was asked for.
# Next: `loss.item()` is a Python float.
#   loss.item() => loss.detach().reshape(1)

# mistake inputs_normalised (property), from plain
# The batch itself is changed: an operation that ends in `_` or `-=` writes into the caller's x.
# Next: Leave the batch as it is.
#        optimizer.step()
#   +    with torch.no_grad():
#   +        x -= x.mean()

# mistake old_gradients_times_0 (not finite), from plain
# The old gradients are multiplied by 0: where one of them was nan or infinite, nan stays.
# Next: Call `optimizer.zero_grad()`, which throws them away.
#   -    optimizer.zero_grad()
#   +    for parameter in model.parameters():
#   +        if parameter.grad is not None:
#   +            parameter.grad *= 0

# mistake targets_are_a_tensor (raises), from plain
# y is used as a tensor; it is None where the loss needs no targets.
# Next: Hand y on to loss_fn as it is.
#   -    x, y = batch
#   +    device = next(model.parameters()).device
#   +    x, y = (part.to(device) for part in batch)

# mistake output_is_a_tensor (raises), from plain
# The model's output is used as a tensor; it may be a tuple, which only loss_fn understands.
# Next: Hand the output on to loss_fn as it is.
#   -    loss = loss_fn(model(x), y)
#   +    out = model(x)
#   +    loss = loss_fn(out.reshape(len(x), -1), y)

# mistake put_into_eval_mode (values), from plain
# The model is put into eval mode for the step: a batch norm or a dropout then behaves as it does in use, not as in training.
# Next: Leave `model.eval()` out.
#    def train_step(model, batch, loss_fn, optimizer):
#   +    model.eval()


# right form tensor_returned
def train_step(model, batch, loss_fn, optimizer):
    model.zero_grad()
    loss = loss_fn(model(batch[0]), batch[1])
    loss.backward()
    optimizer.step()
    return loss


# right form train_mode_and_zeros
def train_step(model, batch, loss_fn, optimizer, verbose=True):
    model.train()
    inputs, targets = batch
    optimizer.zero_grad(set_to_none=False)
    outputs = model(inputs)
    loss = loss_fn(outputs, targets)
    loss.backward()
    optimizer.step()
    if verbose:
        print(f"loss {float(loss):.3f}")
    return float(loss.detach().numpy())


# right form autograd_grad
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    loss = loss_fn(model(x), y)
    for parameter, gradient in zip(parameters, torch.autograd.grad(loss, parameters)):
        parameter.grad = gradient
    optimizer.step()
    return loss.detach()


# right form closure
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch

    def closure():
        optimizer.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        return loss

    return optimizer.step(closure).item()


# right form cleared_at_both_ends
def train_step(model, batch, loss_fn, optimizer):
    (x, y) = batch
    for parameter in model.parameters():
        parameter.grad = None
    with torch.enable_grad():
        loss = loss_fn(model(x), y)
    before = loss.item()
    loss.backward(retain_graph=True)
    optimizer.step()
    optimizer.zero_grad()
    return before


# right form gradients_set_to_none_by_hand
def train_step(model, batch, loss_fn, optimizer):
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            parameter.grad = None
    with torch.enable_grad():
        loss = loss_fn(model.forward(batch[0]), batch[1])
    before = loss.detach().clone()
    torch.autograd.backward(loss)
    optimizer.step()
    return before
