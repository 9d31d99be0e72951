"""Writes python/pld/mechanisms.py from the registry, which is where mechanisms are described.

usage: write_mechanisms.py          prints it; redirect to python/pld/mechanisms.py
"""
import importlib.util
import keyword
import pathlib
import sys
import textwrap

HEAD = '''"""A function for each type of mechanism. Written by python/write_mechanisms.py from the library's registry.

All take count= or steps= (how often it is released), adjacency= ("add-remove", "replace-one" or "zero-out") and how a
record gets into a release: poisson= (a sampling rate), or without_replacement= (the share of the data in a batch), or
batch= with dataset= (two sizes whose quotient that is), or allocation= (steps of an epoch, in one of which each record
takes part, drawn at random; with participations= in so many of them, with passes= in the same one of so many epochs), or
shuffled= (batches of an epoch over shuffled data), or truncated_poisson= with largest_batch= and records= (a sampling
rate, the size the sample is cut to, and of how many it is drawn), or sampler= by its name, with batch=, dataset= and
epochs=; the command's shorter words do too. A parameter or a count that is None is not given. Any one number may
be pld.unknown, for calibrate(). They raise DomainError, a ValueError, for a value out of range and MissingTheorem where
no theorem is known.
"""
from __future__ import annotations

from .composition import Composition, by_name, mechanism

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .arguments import Numbers
    from .composition import Number
'''

UNBROKEN = "\0"  # a space that no line ends at


def kind(is_list):
    return "Numbers" if is_list else "Number"


def written(value, lists="[{}]", comma=", "):
    return lists.format(comma.join(map(written, value))) if isinstance(value, list) else f"{value:g}"


def doctest(core, name, python, example):
    """Two releases, and what they are called."""
    words = ",".join(f"{p}={written(value, '{}', '/')}" for p, value in [*example.items(), ("count", 2)])
    (text, _, count, _), = core.Accounted.from_words([f"{name}:{words}"]).releases()
    called = "".join(f"{p}={written(value)}, " for p, value in example.items())
    return [f"    >>> {line}" for line in ("import pld", f"pld.{python}({called}count=2)")] + [
        f"    Composition({count} * {text})"]


def function(core, name, meaning, source, parameters, example, others):
    """What has a default, or another word, may be left out."""
    optional = {p for p, _, _, value, _ in parameters if value is not None} | set(others.values())
    ordered = sorted(parameters, key=lambda p: p[0] in optional)
    words = [f"{p}: {kind(is_list)}{' | None = None' if p in optional else ''}" for p, *_, is_list in ordered]
    words += ["count: Number | None = None", 'adjacency: str = "add-remove"', "**words: Number | str"]
    python = name.replace("-", "_")
    whole = ", ".join(word.replace(" ", UNBROKEN) for word in ["*", *words])
    lines = [line.replace(UNBROKEN, " ") for line in textwrap.wrap(
        f"def{UNBROKEN}{python}({whole}){UNBROKEN}->{UNBROKEN}Composition:", 120,
        subsequent_indent=" " * (len(python) + 5), break_on_hyphens=False)]
    lines += textwrap.wrap(f'"""{meaning[0].upper()}{meaning[1:]} ({source}).', 119, initial_indent="    ",
                           subsequent_indent="    ")
    lines.append("")
    for p, what, accepted, value, is_list in parameters:
        spared = "" if value is None else f"; {value:g} where it is not given"
        spared += "".join(f"; or {word}=" for word, plain in others.items() if plain == p)
        lines += textwrap.wrap(f"{p}: {what}; {accepted}{spared}", 116, initial_indent="    ", subsequent_indent="        ")
    lines += ["", *doctest(core, name, python, example), '    """']
    given = ", ".join(f'"{p}":{UNBROKEN}{p}' for p, *_ in parameters)
    lines += [line.replace(UNBROKEN, " ") for line in textwrap.wrap(
        f'return{UNBROKEN}mechanism("{name}", {{{given}}}, count, adjacency, words)', 120,
        initial_indent="    ", subsequent_indent=" " * 21, break_on_hyphens=False)]
    return python, "\n".join(["@by_name", *lines])


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
