"""Writes python/pld/mechanisms.py from the registry, which is where mechanisms are described.

usage: write_mechanisms.py          prints it; redirect to python/pld/mechanisms.py
"""
import importlib.util
import keyword
import pathlib
import sys
import textwrap

HEAD = '''"""A function for each type of mechanism. Written by python/write_mechanisms.py from the library's registry.

All take count= (how often it is released), adjacency= ("add-remove", "replace-one" or "zero-out") and how a record gets
into a release: poisson= (a sampling rate), or without_replacement= (the share of the data in a batch), or batch= with
dataset= (two sizes whose quotient that is), or allocation= (steps of an epoch, in one of which each record takes part,
drawn at random; with participations= in so many of them, with passes= in the same one of so many epochs), or shuffled=
(batches of an epoch over shuffled data), or truncated_poisson= with largest_batch= and records= (a sampling rate, the
size the sample is cut to, and of how many it is drawn). Any one number may be pld.unknown, for calibrate(). They raise
DomainError, a ValueError, for a value out of range and MissingTheorem where no theorem is known.
"""
from __future__ import annotations

from .composition import Composition, mechanism

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from .composition import Number
'''

UNBROKEN = "\0"  # a space that no line ends at


def default(value):
    return "" if value is None else f" = {value:g}"


def kind(is_list):
    return "Sequence[float]" if is_list else "Number"


def written(value):
    return f"[{', '.join(map(written, value))}]" if isinstance(value, list) else f"{value:g}"


def doctest(core, name, python, example):
    """Two releases, and what they are called."""
    numbers = {p: value for p, value in example.items() if not isinstance(value, list)}
    lists = {p: value for p, value in example.items() if isinstance(value, list)}
    (text, _, count, _), = core.Accounted.of(name, numbers, lists, {}, 2, "add-remove").releases()
    called = "".join(f"{p}={written(value)}, " for p, value in example.items())
    return [f"    >>> {line}" for line in ("import pld", f"pld.{python}({called}count=2)")] + [
        f"    Composition({count} * {text})"]


def function(core, name, meaning, source, parameters, example):
    ordered = sorted(parameters, key=lambda p: p[3] is not None)
    words = [f"{p}: {kind(is_list)}{default(value)}" for p, _, _, value, is_list in ordered]
    words += ["count: Number = 1", 'adjacency: str = "add-remove"', "**sampling: Number"]
    python = name.replace("-", "_")
    whole = ", ".join(word.replace(" ", UNBROKEN) for word in ["*", *words])
    lines = [line.replace(UNBROKEN, " ") for line in textwrap.wrap(
        f"def{UNBROKEN}{python}({whole}){UNBROKEN}->{UNBROKEN}Composition:", 120,
        subsequent_indent=" " * (len(python) + 5), break_on_hyphens=False)]
    lines += textwrap.wrap(f'"""{meaning[0].upper()}{meaning[1:]} ({source}).', 119, initial_indent="    ",
                           subsequent_indent="    ")
    lines.append("")
    for p, what, accepted, value, is_list in parameters:
        lines += textwrap.wrap(f"{p}: {what}; {accepted}", 116, initial_indent="    ", subsequent_indent="        ")
    lines += ["", *doctest(core, name, python, example), '    """']
    given = ", ".join(f'"{p}":{UNBROKEN}{p}' for p, *_ in parameters)
    lines += [line.replace(UNBROKEN, " ") for line in textwrap.wrap(
        f'return{UNBROKEN}mechanism("{name}", {{{given}}}, count, adjacency, sampling)', 120,
        initial_indent="    ", subsequent_indent=" " * 21, break_on_hyphens=False)]
    return python, "\n".join(lines)


def module(core):
    functions = [function(core, *one) for one in core.mechanism_types()]
    assert not any(keyword.iskeyword(name) for name, _ in functions)
    names = textwrap.wrap(", ".join(f'"{name}"' for name, _ in functions), 116)
    exported = "__all__ = [\n" + "\n".join(f"    {line}" for line in names) + ",\n]\n"
    return "\n\n\n".join([HEAD + "\n" + exported.rstrip()] + [text for _, text in functions]) + "\n"


def extension(package):
    """The extension alone: the package cannot be imported while a function is missing."""
    file = next(pathlib.Path(package).glob("_core*.so"))
    spec = importlib.util.spec_from_file_location("_core", file)
    core = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(core)
    return core


if __name__ == "__main__":
    root = pathlib.Path(__file__).resolve().parent.parent
    sys.stdout.write(module(extension(root / "build/python/pld")))
