"""Wrong answers about one step of training by name, and unusual right ones."""

import torch

from grader.course_source.catalogue import altered, base, mistake, right_form

STEP = "04.train_step"


@base("plain")
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    optimizer.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


altered(
    STEP, "old_gradients_count", "plain", {"\n    optimizer.zero_grad()\n": "\n"}, stage="values",
    diagnosis="The gradients are never cleared: backward adds to what is already there.",
    next_step="Call `optimizer.zero_grad()` before backward.",
)


@mistake(
    STEP, "cleared_too_late", stage="values",
    diagnosis="The gradients are cleared after the step: those that were there before the call still count in it.",
    next_step="Clear them first, before backward.",
)
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    loss = loss_fn(model(x), y)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


@mistake(
    STEP, "nothing_moves", stage="values",
    diagnosis="The parameters stay where they are: there is no step, or it finds no gradients, since they were cleared "
    "after backward or belong to a copy of the model.",
    next_step="The order is zero_grad, backward, step, all on the model and the optimizer that were given.",
)
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    loss = loss_fn(model(x), y)
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()
    return loss.item()


@mistake(
    STEP, "step_before_backward", stage="values",
    diagnosis="The step comes before backward: it moves by the gradients of an earlier batch, or by none.",
    next_step="The order is zero_grad, backward, step.",
)
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    loss = loss_fn(model(x), y)
    optimizer.step()
    optimizer.zero_grad()
    loss.backward()
    return loss.item()


@mistake(
    STEP, "loss_after_the_step", stage="values",
    diagnosis="The step is right; the loss returned is that of the model after it.",
    next_step="Return the loss that you called backward on.",
)
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    optimizer.zero_grad()
    loss_fn(model(x), y).backward()
    optimizer.step()
    return loss_fn(model(x), y).item()


altered(
    STEP, "target_first", "plain", {"model(x), y": "y, model(x)"}, stage=("raises", "values"),
    diagnosis="loss_fn gets the targets first; it takes the model's output, then the targets.",
    next_step="Write `loss_fn(model(x), y)`.",
)

altered(
    STEP, "divided_by_the_rows", "plain", {"item()": "item() / len(x)"}, stage="values",
    diagnosis="The loss is divided by the number of rows once more; loss_fn has already decided on mean or sum.",
    next_step="Return what loss_fn returns, as a number.",
)

altered(
    STEP, "loss_of_the_whole_batch", "plain", {"item()": "item() * x.shape[0]"}, stage="values",
    diagnosis="The loss is multiplied by the number of rows; loss_fn has already decided on mean or sum.",
    next_step="Return what loss_fn returns, as a number.",
)

altered(
    STEP, "nothing_returned", "plain", {"\n    return loss.item()": ""}, stage="type",
    diagnosis="The step is right, and nothing is returned.",
    next_step="Return the loss as a number: `loss.item()`.",
)


@mistake(
    STEP, "one_row_after_the_other", stage="values",
    diagnosis="Each row of the batch gets a step of its own; asked for is one step on the whole batch.",
    next_step="Call the model once, on all of x.",
)
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


@mistake(
    STEP, "two_steps", stage="values",
    diagnosis="The parameters move as if `step()` or `backward()` had been called twice.",
    next_step="One `backward()` and one `optimizer.step()` for each batch.",
)
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    optimizer.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    optimizer.step()
    optimizer.step()
    return loss.item()


@mistake(
    STEP, "an_optimizer_of_its_own", stage="values",
    diagnosis="A new SGD is made in each call; the optimizer that was given, with its memory and its settings, is not used.",
    next_step="Call `step()` on the optimizer that you were given.",
)
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    sgd = torch.optim.SGD(model.parameters(), lr=optimizer.param_groups[-1]["lr"])
    sgd.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    sgd.step()
    return loss.item()


@mistake(
    STEP, "gradient_descent_by_hand", stage=("values", "raises"),
    diagnosis="Every parameter moves by lr times its gradient, whatever the optimizer: that is plain SGD.",
    next_step="Call `optimizer.step()`: it knows its rule, its groups and which parameters are frozen.",
)
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    model.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter -= optimizer.param_groups[0]["lr"] * parameter.grad
    return loss.item()


@mistake(
    STEP, "gradients_cleared_by_hand", stage="raises",
    diagnosis="`.grad.zero_()` fails before the first backward: a parameter without a gradient has None there.",
    next_step="Use `optimizer.zero_grad()`, which knows that case.",
)
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    for parameter in model.parameters():
        parameter.grad.zero_()
    loss = loss_fn(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


@mistake(
    STEP, "gradients_clipped", stage="values",
    diagnosis="The gradients are clipped to norm 1; nobody asked for it.",
    next_step="Leave clipping to whoever calls: the step uses the gradient as it is.",
)
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    optimizer.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.item()


@mistake(
    STEP, "no_graph", stage="raises",
    diagnosis="The model runs under `no_grad`: there is nothing to go backward through.",
    next_step="`no_grad` belongs to evaluation; leave it out here.",
)
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    optimizer.zero_grad()
    with torch.no_grad():
        loss = loss_fn(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


altered(
    STEP, "loss_on_a_list", "plain", {".item()": ".detach().reshape(1)"}, stage="shape",
    diagnosis="The loss comes back in a tensor or list with an axis; a single number was asked for.",
    next_step="`loss.item()` is a Python float.",
)


@mistake(
    STEP, "inputs_normalised", stage="property",
    diagnosis="The batch itself is changed: an operation that ends in `_` or `-=` writes into the caller's x.",
    next_step="Leave the batch as it is.",
)
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    optimizer.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        x -= x.mean()
    return loss.item()


@mistake(
    STEP, "old_gradients_times_0", stage="not finite",
    diagnosis="The old gradients are multiplied by 0: where one of them was nan or infinite, nan stays.",
    next_step="Call `optimizer.zero_grad()`, which throws them away.",
)
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    for parameter in model.parameters():
        if parameter.grad is not None:
            parameter.grad *= 0
    loss = loss_fn(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


@mistake(
    STEP, "targets_are_a_tensor", stage="raises",
    diagnosis="y is used as a tensor; it is None where the loss needs no targets.",
    next_step="Hand y on to loss_fn as it is.",
)
def train_step(model, batch, loss_fn, optimizer):
    device = next(model.parameters()).device
    x, y = (part.to(device) for part in batch)
    optimizer.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


@mistake(
    STEP, "output_is_a_tensor", stage="raises",
    diagnosis="The model's output is used as a tensor; it may be a tuple, which only loss_fn understands.",
    next_step="Hand the output on to loss_fn as it is.",
)
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    optimizer.zero_grad()
    out = model(x)
    loss = loss_fn(out.reshape(len(x), -1), y)
    loss.backward()
    optimizer.step()
    return loss.item()


@mistake(
    STEP, "put_into_eval_mode", stage="values",
    diagnosis="The model is put into eval mode for the step: a batch norm or a dropout then behaves as it does in use, "
    "not as in training.",
    next_step="Leave `model.eval()` out.",
)
def train_step(model, batch, loss_fn, optimizer):
    model.eval()
    x, y = batch
    optimizer.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


@right_form(STEP, "tensor_returned")
def train_step(model, batch, loss_fn, optimizer):
    model.zero_grad()
    loss = loss_fn(model(batch[0]), batch[1])
    loss.backward()
    optimizer.step()
    return loss


@right_form(STEP, "train_mode_and_zeros")
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


@right_form(STEP, "autograd_grad")
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    loss = loss_fn(model(x), y)
    for parameter, gradient in zip(parameters, torch.autograd.grad(loss, parameters)):
        parameter.grad = gradient
    optimizer.step()
    return loss.detach()


@right_form(STEP, "closure")
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch

    def closure():
        optimizer.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        return loss

    return optimizer.step(closure).item()


@right_form(STEP, "cleared_at_both_ends")
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


@right_form(STEP, "gradients_set_to_none_by_hand")
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
