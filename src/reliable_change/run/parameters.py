"""The parameters that notebooks declare, and settings given as text checked against them."""

from __future__ import annotations

import ast
import difflib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from reliable_change.errors import ParameterError

TAG = "parameters"
TYPES = {"str": str, "int": int, "float": float, "bool": bool}
KINDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}
_CELL = re.compile(r"^# %%(.*)$", re.MULTILINE)
_TAGS = re.compile(r"\btags=(\[[^\]]*\])")
_WHOLE = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


@dataclass(frozen=True)
class Parameter:
    """One parameter of a notebook: its name, type, default, and whether it may be None."""

    name: str
    type: type
    default: Any
    optional: bool = False

    @property
    def kind(self) -> str:
        """What values it takes, in words."""
        return KINDS[self.type] + (" or none" if self.optional else "")


def read_parameters(notebook: Path) -> dict[str, Parameter]:
    """Read what a percent-format notebook declares, without running any of it.

    Parameters
    ----------
    notebook : Path
        ``NN_name.py`` with one cell tagged ``parameters``. The cell holds assignments of
        literals only, ``name = value`` or ``name: type = value``; the type is that of the
        value unless it is annotated, and ``type | None`` allows None.

    Returns
    -------
    dict
        Parameter by name, in the order of the cell.

    Raises
    ------
    ParameterError
        No such cell or several; anything in it but assignments of literals of type str, int,
        float or bool (None where annotated); a default that does not fit its annotation.
    """
    tagged = tagged_cells(notebook.read_text(encoding="utf-8"))
    if len(tagged) != 1:
        raise ParameterError(
            f"{notebook.name}: {len(tagged)} cells are tagged {TAG!r}; tag exactly one"
        )
    try:
        statements = ast.parse(tagged[0]).body
        declared = [_declaration(statement) for statement in statements]
    except (SyntaxError, ValueError) as error:
        raise ParameterError(f"{notebook.name}: cell {TAG!r}: {error}") from None
    return {parameter.name: parameter for parameter in declared}


def tagged_cells(text: str, tag: str = TAG) -> list[str]:
    """Sources of the cells of a percent script that carry a tag.

    Every notebook checks its parameters first, and jupytext takes longer to import than most
    of them take to compute; so the little of its format that is needed here is read directly.

    >>> tagged_cells('# %% tags=["parameters"]\\nk = 5\\n\\n# %%\\nprint(k)\\n')
    ['k = 5']
    """
    _, *parts = _CELL.split(text)
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return [body.strip() for head, body in pairs if tag in _tags(head)]


def resolve(settings: Mapping[str, Any], notebooks: Sequence[Path]) -> dict[str, dict[str, Any]]:
    """Give each notebook the settings that it declares, with the types that it declares.

    Parameters
    ----------
    settings : mapping of str to str or value
        Values by name. A text is read as the declared type: ``"007"`` stays a text where a text
        is declared, ``"false"`` is False, ``"none"`` is None where None is allowed. Any other
        value (numpy scalars included) must already be of that type; an int may stand for a float.
    notebooks : sequence of Path
        The notebooks of the run, percent format.

    Returns
    -------
    dict
        For each notebook's stem, the values for it; empty where no setting reaches it.

    Raises
    ------
    ParameterError
        A setting that no notebook declares, or whose value does not fit.

    Examples
    --------
    >>> resolve({}, [])
    {}
    """
    declared = {path.stem: read_parameters(path) for path in notebooks}
    for name in settings:
        if not any(name in parameters for parameters in declared.values()):
            raise ParameterError(_unknown(name, declared))
    return {
        stem: {
            name: _value(setting, parameters[name], stem)
            for name, setting in settings.items()
            if name in parameters
        }
        for stem, parameters in declared.items()
    }


def check(notebook: Path, values: Mapping[str, Any]) -> None:
    """Stop unless the values of a notebook's parameters have the types that it declares.

    For a notebook to call below its parameters: ``papermill -p`` guesses types, and turns the
    text 007 into the number 7 and false into a text that counts as true.

    Parameters
    ----------
    notebook : Path
        Percent source of the notebook.
    values : mapping
        Values by name, such as ``globals()``; names that are no parameters are ignored.

    Raises
    ------
    ParameterError
        A parameter is missing from `values` or has another type than declared.
    """
    for name, parameter in read_parameters(notebook).items():
        if name not in values:
            raise ParameterError(f"{notebook.stem}: parameter {name} has no value")
        value = values[name]
        if not (_fits(value, parameter) or (parameter.type is float and type(value) is int)):
            raise ParameterError(_misfit(value, parameter, notebook.stem))


def _tags(head: str) -> list[str]:
    listed = _TAGS.search(head)
    return ast.literal_eval(listed[1]) if listed else []


def _declaration(statement: ast.stmt) -> Parameter:
    """Parameter that one statement of the cell declares; ValueError if it declares none."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=node):
            annotation = None
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=node) if node:
            pass
        case _:
            line = ast.unparse(statement).splitlines()[0]
            raise ValueError(f"{line!r} is not of the form name = value")
    try:
        default = ast.literal_eval(node)
    except ValueError:
        raise ValueError(f"{name} is not set to a literal") from None
    kind, optional = (type(default), False) if annotation is None else _annotated(annotation)
    if kind not in KINDS:
        raise ValueError(f"{name} must be a str, int, float or bool, or say which with a type")
    if kind is float and type(default) is int:
        default = float(default)
    parameter = Parameter(name, kind, default, optional)
    if not _fits(default, parameter):
        raise ValueError(f"the default of {name}, {default!r}, is not {parameter.kind}")
    return parameter


def _annotated(annotation: ast.expr) -> tuple[type | None, bool]:
    """Type and whether None is allowed, from ``type`` or ``type | None``."""
    parts = [part.strip() for part in ast.unparse(annotation).split("|")]
    kinds = [TYPES.get(part) for part in parts if part != "None"]
    return (kinds[0] if len(kinds) == 1 else None), "None" in parts


def _fits(value: Any, parameter: Parameter) -> bool:
    """Whether a value has exactly the declared type (True is no int, and no number is infinite)."""
    if value is None:
        return parameter.optional
    return type(value) is parameter.type and (parameter.type is not float or math.isfinite(value))


def _value(setting: Any, parameter: Parameter, notebook: str) -> Any:
    """The setting as a value of the declared type."""
    value = setting.item() if isinstance(setting, np.generic) else setting
    if isinstance(value, str):
        value = _parse(value, parameter)
    elif parameter.type is float and type(value) is int:
        value = float(value)
    if not _fits(value, parameter):
        raise ParameterError(_misfit(setting, parameter, notebook))
    return value


def _parse(text: str, parameter: Parameter) -> Any:
    """A text read as the declared type; the text itself where it cannot be."""
    if parameter.optional and text.lower() == "none":
        return None
    if parameter.type is bool:
        return {"true": True, "false": False}.get(text.lower(), text)
    if parameter.type is int and _WHOLE.fullmatch(text):
        return int(text)
    if parameter.type is float and _NUMBER.fullmatch(text):
        return float(text)
    return text


def _misfit(value: Any, parameter: Parameter, notebook: str) -> str:
    return (
        f"setting {parameter.name} = {value!r}: {notebook} takes {parameter.kind} "
        f"(its default is {parameter.default!r})"
    )


def _unknown(name: str, declared: Mapping[str, Mapping[str, Parameter]]) -> str:
    """What to say of a setting that no notebook declares."""
    takers: dict[str, list[str]] = {}
    for stem, parameters in declared.items():
        for known in parameters:
            takers.setdefault(known, []).append(stem)
    near = difflib.get_close_matches(name, takers, n=3, cutoff=0.5)
    if near:
        hint = "did you mean " + " or ".join(f"{n} (of {', '.join(takers[n])})" for n in near)
    else:
        hint = "settings are " + (", ".join(sorted(takers)) or "none")
    return f"no notebook has a setting {name}; {hint}"
