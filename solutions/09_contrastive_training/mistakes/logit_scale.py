# exercise 09.LogitScale
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


# base plain
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.log = nn.Parameter(torch.tensor(math.log(init)))
        self.maximum = maximum

    def forward(self):
        with torch.no_grad():
            self.log.clamp_(max=math.log(self.maximum))
        return self.log.exp()


# mistake clamp_without_a_way_back (property), from plain
# `clamp` has the gradient 0 above its limit: once past the maximum, the number never moves again.
# Next: Put the parameter itself back under `torch.no_grad()` before you take exp.
#   self.log = nn.Parameter(torch.tensor(math.log(init))) => self.log_scale = nn.Parameter(torch.tensor(float(init)).log())
#   -        with torch.no_grad():
#   -            self.log.clamp_(max=math.log(self.maximum))
#   self.log.exp() => self.log_scale.exp().clamp(max=self.maximum)


# mistake no_maximum (values)
# The maximum is not applied in every `forward`; training pushes the number past it.
# Next: Limit the learned number to log(maximum).
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.log_scale = nn.Parameter(torch.tensor(math.log(init)))

    def forward(self):
        return self.log_scale.exp()


# mistake learns_the_scale_itself (values), from plain
# The parameter is the scale itself, not its logarithm: it can become negative.
# Next: Store log(init), and take exp in `forward`.
#   self.log = nn.Parameter(torch.tensor(math.log(init))) => self.scale = nn.Parameter(torch.tensor(float(init)))
#   self.log.clamp_(max=math.log(self.maximum)) => self.scale.clamp_(max=self.maximum)
#   self.log.exp() => self.scale * 1.0

# mistake exp_of_init (values), from plain
# The parameter starts at init, so the scale starts at exp(init).
# Next: Start the parameter at log(init).
#   math.log(init) => float(init)

# mistake returns_the_logarithm (values), from plain
# `forward` returns the logarithm; the scale is its exp.
# Next: Return `.exp()` of the parameter.
#   self.log.exp() => self.log * 1.0

# mistake one_over_the_scale (values), from plain
# This is the temperature, one over the scale.
# Next: Take exp of the number, not of its negative.
#   self.log.exp => (-self.log).exp

# mistake learns_the_log_of_the_temperature (values), from plain
# The learned number is the logarithm of the temperature, but the exercise asks for that of the scale.
# Next: Start it at log(init), and take exp of the number itself.
#   math.log(init) => -math.log(init)
#   max=math.log(self.maximum) => min=-math.log(self.maximum)
#   self.log.exp => (-self.log).exp

# mistake powers_of_ten (values), from plain
# Base 10 is used; the scale is exp of the learned number.
# Next: Use `math.log` and `torch.exp`.
#   math.log(init) => math.log10(init)
#   math.log(self.maximum) => math.log10(self.maximum)
#   self.log.exp() => 10.0**self.log

# mistake init_ignored (values), from plain
# The scale starts at 14.2857 whatever init is.
# Next: Use the argument `init`.
#   math.log(init) => math.log(1 / 0.07)

# mistake limit_100_for_all (values), from plain
# The limit is always 100, whatever maximum is.
# Next: Use the argument `maximum`.
#   -        self.maximum = maximum
#   math.log(self.maximum) => math.log(100.0)

# mistake logarithm_limited_to_maximum (values), from plain
# The logarithm is limited to maximum, so the scale to exp(maximum).
# Next: The limit of the learned number is log(maximum).
#   math.log(self.maximum) => self.maximum

# mistake clamped_too_late (values), from plain
# exp is taken before the number is put back: the scale that comes out is still above the maximum.
# Next: First put the number back, then take exp.
#        def forward(self):
#   +        scale = self.log.exp()
#   self.log.exp() => scale

# mistake at_least_1_too (values), from plain
# The scale is also kept above 1; only an upper limit was asked for.
# Next: Limit the number from above alone: a logarithm may be negative.
#   max=math.log(self.maximum) => 0.0, math.log(self.maximum)

# mistake not_a_parameter (property), from plain
# The number is a plain tensor: `parameters()` does not hold it, so no optimizer will move it.
# Next: Wrap it in `nn.Parameter`.
#   nn.Parameter(torch.tensor(math.log(init))) => torch.tensor(math.log(init), requires_grad=True)


# mistake maximum_is_learned_too (property)
# The maximum is a parameter as well, and would be trained; only the logarithm of the scale is learned.
# Next: Keep the maximum as a plain number.
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.log = nn.Parameter(torch.tensor(math.log(init)))
        self.maximum = nn.Parameter(torch.tensor(float(maximum)))

    def forward(self):
        return torch.minimum(self.log.exp(), self.maximum)


# mistake a_python_number (type), from maximum_is_learned_too
# `forward` returns a plain number, through which no gradient flows.
# Next: Return the 0-d tensor, without `.item()` or `math.exp`.
#   nn.Parameter(torch.tensor(float(maximum))) => maximum
#   torch.minimum(self.log.exp(), self.maximum) => min(math.exp(self.log), self.maximum)

# mistake graph_cut (property), from plain
# The scale is computed outside of autograd, so its number gets no gradient.
# Next: Only putting the number back belongs under `torch.no_grad()`; exp does not.
#   -        return self.log.exp()
#   +            return self.log.exp()

# mistake no_graph_at_the_maximum (property), from plain
# Above the maximum a constant is returned, without a graph.
# Next: Return something that depends on the parameter in every case.
#   with torch.no_grad(): => scale = self.log.exp()
#   -            self.log.clamp_(max=math.log(self.maximum))
#   +        if scale > self.maximum:
#   +            return torch.tensor(float(self.maximum))
#   self.log.exp() => scale

# mistake new_parameter_in_forward (property), from plain
# Above the maximum a new parameter is made, which the optimizer does not know.
# Next: Change the number inside the parameter (`clamp_`), not the parameter.
#   -        with torch.no_grad():
#   +        if self.log > math.log(self.maximum):
#   self.log.clamp_(max=math.log(self.maximum)) => self.log = nn.Parameter(torch.tensor(math.log(self.maximum)))

# mistake a_tensor_of_one_entry (shape), from plain
# The scale has shape (1,); a scalar has shape ().
# Next: Make the parameter from a number: `torch.tensor(math.log(init))`, without brackets.
#   math.log(init) => [math.log(init)]

# mistake maximum_of_the_two (values), from plain
# The larger of scale and maximum is returned; the maximum is an upper limit.
# Next: Take the smaller of the two: min with the maximum, `clamp(max=...)`.
#   max=math.log(self.maximum) => min=math.log(self.maximum)

# mistake soft_limit (values), from maximum_is_learned_too
# A smooth curve bends the scale long before the maximum; below it the scale is exp of the number, no less.
# Next: Below the maximum return exp of the number unchanged.
#            super().__init__()
#   +        self.maximum = maximum
#   -        self.maximum = nn.Parameter(torch.tensor(float(maximum)))
#   torch.minimum(self.log.exp(), self.maximum) => self.maximum * torch.tanh(self.log.exp() / self.maximum)

# mistake parameter_overwritten (raises), from plain
# A tensor is put in the place of the parameter: a module takes nothing but a Parameter under that name.
# Next: Change the parameter in place under `torch.no_grad()`, with `clamp_`, or clamp only what you return.
#   -        with torch.no_grad():
#   -            self.log.clamp_(max=math.log(self.maximum))
#   +        self.log = self.log.clamp(max=math.log(self.maximum))


# right form straight_through
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.t = nn.Parameter(torch.ones([]) * np.log(init))
        self.maximum = maximum

    def forward(self):
        scale = self.t.exp()
        return scale + (scale.clamp(max=self.maximum) - scale).detach()


# right form logarithm_straight_through_shape_1
class LogitScale(nn.Module):
    def __init__(self, init: float = 14.2857, maximum: float = 100.0, name="scale"):
        super().__init__()
        self.name = name
        self.raw = nn.Parameter(torch.full((1,), math.log(init)))
        self.register_buffer("top", torch.tensor(math.log(maximum)))

    def forward(self):
        raw = self.raw.squeeze()
        excess = F.relu(raw - self.top).detach()
        return torch.exp(raw - excess)


# right form data_clamped
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.maximum = nn.Parameter(torch.tensor(float(maximum)), requires_grad=False)
        self.logit_scale = nn.Parameter(torch.log(torch.tensor(float(init))))

    def forward(self):
        self.logit_scale.data = torch.clamp(self.logit_scale.data, max=self.maximum.log().item())
        return self.logit_scale.exp()


# right form own_autograd_function
class LogitScale(nn.Module):
    class Limit(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, top):
            return x.clamp(max=top)

        @staticmethod
        def backward(ctx, grad):
            return grad, None

    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.log = nn.Parameter(torch.tensor(float(np.log(init))))
        self.maximum = maximum

    def forward(self):
        return self.Limit.apply(self.log.exp(), self.maximum)


# right form float64_from_numpy
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.log = nn.Parameter(torch.tensor(np.log(init)))
        self.top = math.log(maximum)

    def forward(self):
        if self.log.item() > self.top:
            print("clipped")
            with torch.no_grad():
                self.log.fill_(self.top)
        return torch.exp(self.log)


# right form shrunk_by_a_detached_factor
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.layer = nn.Linear(1, 1, bias=False)
        nn.init.constant_(self.layer.weight, math.log(init))
        self.maximum = maximum

    def forward(self):
        scale = self.layer(torch.ones(1))[0].exp()
        return scale * (self.maximum / scale.detach()).clamp(max=1.0)
