"""C++ of a traced step: the struct that kernels and codelets take as their neuron."""

from __future__ import annotations

import math
import struct
from typing import Callable, Dict, List, Mapping, Optional, Sequence, Set, Tuple

from .expression import COMPARISONS, Expression, Expressions, in_order
from .step import TracedStep, input_values

_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
_COMPARED = dict(zip(COMPARISONS, ("<", "<=", ">", ">=", "==", "!=")))
_LOGIC = {"and": "&", "or": "|", "xor": "!="}


def neuron_source(step: TracedStep, name: str, membrane: str, least: int = 1) -> str:
    """Return C++ that declares a neuron as `cuda/popsnn/neurons/lif.cuh` does.

    One line: torch.compile writes what operators are given into comments of its own code.

    Parameters
    ----------
    step : TracedStep
    name : str
        Of the struct.
    membrane : str
        The state that is the membrane.
    least : int
        Number of parameters at least; nothing reads those that there are not. No array of the CUDA
        kernels can be empty.

    Notes
    -----
    A neuron of several inputs has their number as `kInputs`, and takes and returns arrays of them.
    """
    states, parameters = step.states, step.parameters
    arguments = "[[maybe_unused]] const float* p"
    state, before = "float (&state)[kStates]", "const float (&before)[kStates]"
    count, x, returned, grad_x = "", "float x", "float", ""
    if len(step.inputs) > 1:
        count = f" static constexpr int kInputs = {len(step.inputs)};"
        x, returned = "const float (&x)[kInputs]", "void"
        grad_x = ", float (&grad_x)[kInputs]"
    lines = [
        f"struct {name} {{{count}",
        f"static constexpr int kStates = {len(states)};",
        f"static constexpr int kSaved = {len(states) - step.spiking};",
        f"static constexpr int kParameters = {max(least, len(parameters))};",
        f"static constexpr int kMembrane = {states.index(membrane)};",
        f"static constexpr bool kSpiking = {str(step.spiking).lower()};",
        f"POPSNN_DEVICE static void step({state}, {arguments}, [[maybe_unused]] {x}) {{",
        *_step(step),
        *_step_with(step, f"{state}, {arguments}, [[maybe_unused]] {x}"),
        f"}} POPSNN_DEVICE static void restore([[maybe_unused]] {state}, {arguments}) {{",
        *_restore(step),
        f"}} POPSNN_DEVICE static float potential([[maybe_unused]] const {state}, {arguments}) {{",
        *_potential(step),
        f"}} template <class Gradient> POPSNN_DEVICE static {returned} adjoint("
        f"[[maybe_unused]] {before}, [[maybe_unused]] const {state}, {arguments}, "
        "[[maybe_unused]] const Gradient& h, float (&grad)[kStates], "
        f"[[maybe_unused]] float* grad_p{grad_x}) {{",
        *_adjoint(step),
        "} };",
    ]
    return " ".join(lines)


def _step(step: TracedStep) -> List[str]:
    lines = _states_after(step, step.after[: len(step.states) - step.spiking])
    return [*lines, "restore(state, p);"] if step.spiking else lines


def _step_with(step: TracedStep, arguments: str) -> List[str]:
    if not step.uses_own_spike:
        return []
    make = step.expressions
    spike = {step.after[-1]: make.value("s", binary=True)}
    after = [make.rewritten(each, spike) for each in step.after[:-1]]
    heading = (
        "} static constexpr bool kOwnSpike = true; "
        f"POPSNN_DEVICE static void step_with({arguments}, float s)"
    )
    lines = _states_after(step, after)
    return [f"{heading} {{", *lines, f"state[{len(after)}] = s;"]


def _states_after(step: TracedStep, after: Sequence[Expression]) -> List[str]:
    # States are overwritten: those before the step have names of their own.
    names = {**_names(step), **{f"before.{s}": f"before_{k}" for k, s in enumerate(step.states)}}
    text = _Text(step.expressions, names)
    outputs = text.of(after)
    used = [k for k, name in enumerate(step.states) if f"before.{name}" in text.used]
    lines = [f"const float before_{k} = state[{k}];" for k in used]
    lines += text.lines
    return [*lines, *(f"state[{k}] = {output};" for k, output in enumerate(outputs))]


def _restore(step: TracedStep) -> List[str]:
    if step.fires is None:
        return []
    text = _Text(step.expressions, _names(step))
    membrane, threshold = text.of(step.fires)
    last = len(step.states) - 1
    return [*text.lines, f"state[{last}] = {membrane} >= {threshold} ? 1.0f : 0.0f;"]


def _potential(step: TracedStep) -> List[str]:
    if step.fires is None:
        return ["return 0.0f;"]
    text = _Text(step.expressions, _names(step))
    (membrane,) = text.of(step.fires[:1])
    return [*text.lines, f"return {membrane};"]


def _adjoint(step: TracedStep) -> List[str]:
    text = _Text(step.expressions, _names(step))
    make, value = step.expressions.make, step.expressions.value
    sums = {
        k: make("add", value(f"sum.{name}"), grad)
        for k, (name, grad) in enumerate(zip(step.parameters, step.grad_parameters))
        if grad is not None
    }
    carried = {k: grad for k, grad in enumerate(step.grad_states) if grad is not None}
    # x + -0 is x for every x: the addition of an output's gradient is optimised away.
    nothing = step.expressions.constant(-0.0)
    of_inputs = [grad or nothing for grad in step.grad_inputs]
    outputs = text.of([*of_inputs, *carried.values(), *sums.values()])
    inputs, grads = outputs[: len(of_inputs)], dict(zip(carried, outputs[len(of_inputs) :]))
    lines = list(text.lines)
    if len(inputs) == 1:
        lines.append(f"const float grad_x = {inputs[0]};")
    else:
        lines += [f"grad_x[{k}] = {grad};" for k, grad in enumerate(inputs)]
    of_parameters = outputs[len(inputs) + len(carried) :]
    lines += [f"grad_p[{k}] = {sum_};" for k, sum_ in zip(sums, of_parameters)]
    # All are computed before the first is overwritten.
    lines += [f"const float grad_{k} = {grad};" for k, grad in grads.items()]
    lines += [
        f"grad[{k}] = {f'grad_{k}' if k in grads else '-0.0f'};" for k in range(len(step.states))
    ]
    return [*lines, "return grad_x;"] if len(inputs) == 1 else lines


def _names(step: TracedStep) -> Dict[str, str]:
    """Return the C++ of all values of a step's expressions."""
    inputs = input_values(step.inputs)
    names = {name: f"x[{k}]" for k, name in enumerate(inputs)} if len(inputs) > 1 else {"x": "x"}
    names["s"] = "s"
    for k, state in enumerate(step.states):
        names[f"before.{state}"] = f"before[{k}]"
        names[f"after.{state}"] = f"state[{k}]"
        names[f"grad.{state}"] = f"grad[{k}]"
    for k, parameter in enumerate(step.parameters):
        names[f"p.{parameter}"], names[f"sum.{parameter}"] = f"p[{k}]", f"grad_p[{k}]"
    return names


def function_source(expressions: Expressions, output: Expression, names: Mapping[str, str]) -> str:
    """Return the body of a function that returns an expression of named values."""
    text = _Text(expressions, names)
    (result,) = text.of([output])
    return " ".join([*text.lines, f"return {result};"])


class _Text:
    """Statements that compute expressions, each once; `names` has the C++ of values."""

    def __init__(self, expressions: Expressions, names: Mapping[str, str]) -> None:
        self.lines: List[str] = []
        self.used: Set[str] = set()
        self._expressions = expressions
        self._names = names

    def of(self, expressions: Sequence[Expression]) -> List[str]:
        """Return the text of expressions, behind the statements in `lines` that they need."""
        fused = Fused(self._expressions)
        outputs = [fused.of(each) for each in expressions]
        ordered = in_order(outputs)
        uses: Dict[Expression, int] = {}
        for used in (*outputs, *(argument for each in ordered for argument in each.arguments)):
            uses[used] = uses.get(used, 0) + 1
        texts: Dict[Expression, str] = {}
        for each in ordered:
            if each.operation == "value":
                self.used.add(each.name)
                texts[each] = self._names[each.name]
                continue
            text = _operation(each, [texts[argument] for argument in each.arguments])
            if uses[each] > 1 and each.arguments:
                self.lines.append(
                    f"const {'bool' if each.logical else 'float'} t{len(self.lines)} = {text};"
                )
                text = f"t{len(self.lines) - 1}"
            texts[each] = text
        return [texts[each] for each in outputs]


class Fused:
    """Expressions with products and sums in one, wherever they occur: the same bits everywhere."""

    def __init__(self, expressions: Expressions) -> None:
        self._make = expressions.make
        self._memory: Dict[Expression, Expression] = {}

    def of(self, expression: Expression) -> Expression:
        """Return the fused form of an expression."""
        for each in in_order([expression]):
            if each not in self._memory:
                arguments = [self._memory[argument] for argument in each.arguments]
                self._memory[each] = self._one(each, arguments) if arguments else each
        return self._memory[expression]

    def _one(self, of: Expression, arguments: List[Expression]) -> Expression:
        make = self._make
        if of.operation == "mul":
            for a, b in (arguments, arguments[::-1]):
                if b.operation == "sub" and _is_one(b.arguments[0]) and b.arguments[1].binary:
                    return make("fma", make("neg", a), b.arguments[1], a)  # a (1 - s)
        elif of.operation == "add":
            for a, b in (arguments, arguments[::-1]):
                product = _product(make, a)
                if product is not None:
                    return make("fma", *product, b)
        elif of.operation == "sub":
            a, b = arguments
            product = _product(make, a)
            if product is not None:
                return make("fma", *product, make("neg", b))
            product = _product(make, b)
            if product is not None:
                return make("fma", make("neg", product[0]), product[1], a)
        return make(of.operation, *arguments)


def _product(
    make: Callable[..., Expression], of: Expression
) -> Optional[Tuple[Expression, Expression]]:
    if of.operation == "mul":
        return of.arguments[0], of.arguments[1]
    if of.operation == "neg" and of.arguments[0].operation == "mul":
        return make("neg", of.arguments[0].arguments[0]), of.arguments[0].arguments[1]
    return None


def _is_one(of: Expression) -> bool:
    return of.operation == "constant" and of.number == 1.0


def _operation(of: Expression, arguments: Sequence[str]) -> str:
    if of.operation == "constant":
        return _literal(of.number)
    if of.operation in _SIGNS or of.operation in _COMPARED or of.operation in _LOGIC:
        sign = {**_SIGNS, **_COMPARED, **_LOGIC}[of.operation]
        return f"({arguments[0]} {sign} {arguments[1]})"
    if of.operation == "neg":
        return f"(-{arguments[0]})"
    if of.operation == "not":
        return f"(!{arguments[0]})"
    if of.operation == "where":
        return f"({arguments[0]} ? {arguments[1]} : {arguments[2]})"
    if of.operation == "fire":
        return f"({arguments[0]} >= {arguments[1]} ? 1.0f : 0.0f)"
    if of.operation == "slope":
        return f"h({', '.join(arguments)})"
    if of.operation == "fma":
        return f"popsnn::fma({', '.join(arguments)})"
    return f"popsnn::precise::{_CALLS.get(of.operation, of.operation)}({', '.join(arguments)})"


_CALLS = {"min": "minimum", "max": "maximum", "pow": "power"}


def _literal(number: float) -> str:
    if not math.isfinite(number):
        bits = struct.unpack("I", struct.pack("f", number))[0]
        return f"popsnn::bits_to_float({bits:#x}u)"
    single = struct.unpack("f", struct.pack("f", number))[0]
    text = f"{single:.9g}"
    text = text if any(sign in text for sign in ".e") else f"{text}.0"
    return f"({text}f)" if text.startswith("-") else f"{text}f"
