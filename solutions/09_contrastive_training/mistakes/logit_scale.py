"""Wrong answers about the learned scale by name, and unusual right ones."""

import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake, right_form

SCALE = "09.LogitScale"


@mistake(
    SCALE, "clamp_without_a_way_back", stage="property",
    diagnosis="`clamp` has the gradient 0 above its limit: once past the maximum, the number never moves again.",
    next_step="Put the parameter itself back under `torch.no_grad()` before you take exp.",
)
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.log_scale = nn.Parameter(torch.tensor(float(init)).log())
        self.maximum = maximum

    def forward(self):
        return self.log_scale.exp().clamp(max=self.maximum)


@mistake(
    SCALE, "no_maximum", stage="values",
    diagnosis="The maximum is not applied in every `forward`; training pushes the number past it.",
    next_step="Limit the learned number to log(maximum).",
)
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.log_scale = nn.Parameter(torch.tensor(math.log(init)))

    def forward(self):
        return self.log_scale.exp()


@mistake(
    SCALE, "learns_the_scale_itself", stage="values",
    diagnosis="The parameter is the scale itself, not its logarithm: it can become negative.",
    next_step="Store log(init), and take exp in `forward`.",
)
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(float(init)))
        self.maximum = maximum

    def forward(self):
        with torch.no_grad():
            self.scale.clamp_(max=self.maximum)
        return self.scale * 1.0


@base("plain")
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.log = nn.Parameter(torch.tensor(math.log(init)))
        self.maximum = maximum

    def forward(self):
        with torch.no_grad():
            self.log.clamp_(max=math.log(self.maximum))
        return self.log.exp()


altered(
    SCALE, "exp_of_init", "plain", {"torch.tensor(math.log(init))": "torch.tensor(float(init))"}, stage="values",
    diagnosis="The parameter starts at init, so the scale starts at exp(init).",
    next_step="Start the parameter at log(init).",
)

altered(
    SCALE, "returns_the_logarithm", "plain", {".exp()": " * 1.0"}, stage="values",
    diagnosis="`forward` returns the logarithm; the scale is its exp.",
    next_step="Return `.exp()` of the parameter.",
)

altered(
    SCALE, "one_over_the_scale", "plain", {"return self.log.": "return (-self.log)."}, stage="values",
    diagnosis="This is the temperature, one over the scale.",
    next_step="Take exp of the number, not of its negative.",
)


@mistake(
    SCALE, "learns_the_log_of_the_temperature", stage="values",
    diagnosis="The learned number is the logarithm of the temperature; asked for is that of the scale.",
    next_step="Start it at log(init), and take exp of the number itself.",
)
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.log = nn.Parameter(torch.tensor(-math.log(init)))
        self.maximum = maximum

    def forward(self):
        with torch.no_grad():
            self.log.clamp_(min=-math.log(self.maximum))
        return (-self.log).exp()


@mistake(
    SCALE, "powers_of_ten", stage="values",
    diagnosis="Base 10 is used; the scale is exp of the learned number.",
    next_step="Use `math.log` and `torch.exp`.",
)
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.log = nn.Parameter(torch.tensor(math.log10(init)))
        self.maximum = maximum

    def forward(self):
        with torch.no_grad():
            self.log.clamp_(max=math.log10(self.maximum))
        return 10.0**self.log


altered(
    SCALE, "init_ignored", "plain", {"(init)": "(1 / 0.07)"}, stage="values",
    diagnosis="The scale starts at 14.2857 whatever init is.",
    next_step="Use the argument `init`.",
)

altered(
    SCALE, "limit_100_for_all", "plain",
    {"\n        self.maximum = maximum\n\n": "\n\n", "(self.maximum)": "(100.0)"},
    stage="values",
    diagnosis="The limit is always 100, whatever maximum is.",
    next_step="Use the argument `maximum`.",
)

altered(
    SCALE, "logarithm_limited_to_maximum", "plain", {"math.log(self.maximum)": "self.maximum"}, stage="values",
    diagnosis="The logarithm is limited to maximum, so the scale to exp(maximum).",
    next_step="The limit of the learned number is log(maximum).",
)


@mistake(
    SCALE, "clamped_too_late", stage="values",
    diagnosis="exp is taken before the number is put back: the scale that comes out is still above the maximum.",
    next_step="First put the number back, then take exp.",
)
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.log = nn.Parameter(torch.tensor(math.log(init)))
        self.maximum = maximum

    def forward(self):
        scale = self.log.exp()
        with torch.no_grad():
            self.log.clamp_(max=math.log(self.maximum))
        return scale


altered(
    SCALE, "at_least_1_too", "plain", {"max=": "0.0, "}, stage="values",
    diagnosis="The scale is also kept above 1; only an upper limit was asked for.",
    next_step="Limit the number from above alone: a logarithm may be negative.",
)

altered(
    SCALE, "not_a_parameter", "plain",
    {"nn.Parameter(torch.tensor(math.log(init)))": "torch.tensor(math.log(init), requires_grad=True)"},
    stage="property",
    diagnosis="The number is a plain tensor: `parameters()` does not hold it, so no optimizer will move it.",
    next_step="Wrap it in `nn.Parameter`.",
)


@mistake(
    SCALE, "maximum_is_learned_too", stage="property",
    diagnosis="The maximum is a parameter as well, and would be trained; only the logarithm of the scale is learned.",
    next_step="Keep the maximum as a plain number.",
)
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.log = nn.Parameter(torch.tensor(math.log(init)))
        self.maximum = nn.Parameter(torch.tensor(float(maximum)))

    def forward(self):
        return torch.minimum(self.log.exp(), self.maximum)


@mistake(
    SCALE, "a_python_number", stage="type",
    diagnosis="`forward` returns a plain number, through which no gradient flows.",
    next_step="Return the 0-d tensor, without `.item()` or `math.exp`.",
)
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.log = nn.Parameter(torch.tensor(math.log(init)))
        self.maximum = maximum

    def forward(self):
        return min(math.exp(self.log), self.maximum)


@mistake(
    SCALE, "graph_cut", stage="property",
    diagnosis="The scale is computed outside of autograd, so its number gets no gradient.",
    next_step="Only putting the number back belongs under `torch.no_grad()`; exp does not.",
)
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.log = nn.Parameter(torch.tensor(math.log(init)))
        self.maximum = maximum

    def forward(self):
        with torch.no_grad():
            self.log.clamp_(max=math.log(self.maximum))
            return self.log.exp()


@mistake(
    SCALE, "no_graph_at_the_maximum", stage="property",
    diagnosis="Above the maximum a constant is returned, without a graph.",
    next_step="Return something that depends on the parameter in every case.",
)
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.log = nn.Parameter(torch.tensor(math.log(init)))
        self.maximum = maximum

    def forward(self):
        scale = self.log.exp()
        if scale > self.maximum:
            return torch.tensor(float(self.maximum))
        return scale


@mistake(
    SCALE, "new_parameter_in_forward", stage="property",
    diagnosis="Above the maximum a new parameter is made, which the optimizer does not know.",
    next_step="Change the number inside the parameter (`clamp_`), not the parameter.",
)
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.log = nn.Parameter(torch.tensor(math.log(init)))
        self.maximum = maximum

    def forward(self):
        if self.log > math.log(self.maximum):
            self.log = nn.Parameter(torch.tensor(math.log(self.maximum)))
        return self.log.exp()


altered(
    SCALE, "a_tensor_of_one_entry", "plain", {"math.log(init)": "[math.log(init)]"}, stage="shape",
    diagnosis="The scale has shape (1,); a scalar has shape ().",
    next_step="Make the parameter from a number: `torch.tensor(math.log(init))`, without brackets.",
)

altered(
    SCALE, "maximum_of_the_two", "plain",
    {"self.log.clamp_(max=math.log(self.maximum)": "self.log.clamp_(min=math.log(self.maximum)"},
    stage="values",
    diagnosis="The larger of scale and maximum is returned; the maximum is an upper limit.",
    next_step="Take the smaller of the two: min with the maximum, `clamp(max=...)`.",
)


@mistake(
    SCALE, "soft_limit", stage="values",
    diagnosis="A smooth curve bends the scale long before the maximum; below it the scale is exp of the number, no less.",
    next_step="Below the maximum return exp of the number unchanged.",
)
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.maximum = maximum
        self.log = nn.Parameter(torch.tensor(math.log(init)))

    def forward(self):
        return self.maximum * torch.tanh(self.log.exp() / self.maximum)


@mistake(
    SCALE, "parameter_overwritten", stage="raises",
    diagnosis="A tensor is put in the place of the parameter: a module takes nothing but a Parameter under that name.",
    next_step="Change the parameter in place under `torch.no_grad()`, with `clamp_`, or clamp only what you return.",
)
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.log = nn.Parameter(torch.tensor(math.log(init)))
        self.maximum = maximum

    def forward(self):
        self.log = self.log.clamp(max=math.log(self.maximum))
        return self.log.exp()


@right_form(SCALE, "straight_through")
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.t = nn.Parameter(torch.ones([]) * np.log(init))
        self.maximum = maximum

    def forward(self):
        scale = self.t.exp()
        return scale + (scale.clamp(max=self.maximum) - scale).detach()


@right_form(SCALE, "logarithm_straight_through_shape_1")
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


@right_form(SCALE, "data_clamped")
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.maximum = nn.Parameter(torch.tensor(float(maximum)), requires_grad=False)
        self.logit_scale = nn.Parameter(torch.log(torch.tensor(float(init))))

    def forward(self):
        self.logit_scale.data = torch.clamp(self.logit_scale.data, max=self.maximum.log().item())
        return self.logit_scale.exp()


@right_form(SCALE, "own_autograd_function")
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


@right_form(SCALE, "float64_from_numpy")
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


@right_form(SCALE, "shrunk_by_a_detached_factor")
class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.layer = nn.Linear(1, 1, bias=False)
        nn.init.constant_(self.layer.weight, math.log(init))
        self.maximum = maximum

    def forward(self):
        scale = self.layer(torch.ones(1))[0].exp()
        return scale * (self.maximum / scale.detach()).clamp(max=1.0)
