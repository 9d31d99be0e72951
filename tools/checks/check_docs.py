#!/usr/bin/env python3
"""Fails where a page names what is not there: a file, a function or a test of the error budget, a page; or where a table is broken.

usage: check_docs.py PROJECT_ROOT
"""
import pathlib
import re
import sys

CODE = ["src", "include", "tools", "tests", "validation", "python"]
BUDGET = "docs/error_budget.md"


def text_of(root, folders, suffixes):
    return "\n".join(file.read_text(errors="replace") for folder in folders for file in sorted((root / folder).rglob("*"))
                     if file.suffix in suffixes)


def pages(root):
    yield from (root / name for name in ("README.md", "CONTRIBUTING.md"))
    yield from sorted((root / "docs").glob("*.md"))


def missing_files(root, page, text):
    """Paths in `backticks` that begin with a folder of the project, and targets of links."""
    for path in re.findall(r"`((?:%s|docs|cmake|examples)/[\w./*-]+)`" % "|".join(CODE), text):
        if "NAME" not in path and not list(root.glob(path)) and not list(root.glob(path + ".*")):
            yield f"{page}: there is no {path}"
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        if not (root / page).parent.joinpath(target).exists():
            yield f"{page}: links to {target}, which is not there"


def broken_tables(page, text):
    """A row with no header above it: Markdown shows it as it is written."""
    lines, fenced = text.split("\n"), False
    for number, line in enumerate(lines):
        fenced ^= line.startswith("```")
        starts = line.startswith("| ") and (number == 0 or not lines[number - 1].startswith("|"))
        if starts and not fenced and not (number + 1 < len(lines) and lines[number + 1].startswith("|--")):
            yield f"{page}:{number + 1}: a table without a header"


def budget_names(root):
    """The columns "where" and "test" of the error budget: `code`, `test.name` up to a * or an ellipsis."""
    code, tests = text_of(root, ["src", "include"], {".cpp", ".hpp"}), text_of(root, ["tests"], {".cpp", ".py"})
    for line in (root / BUDGET).read_text().split("\n"):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) < 4 or cells[0] in ("what", "---"):
            continue
        for name in re.findall(r"`([^`]+)`", cells[1]):
            known = list((root / "src").rglob(name)) if "." in name else name.split("::")[-1] in code
            if not known:
                yield f"{BUDGET}: there is no {name} in the code"
        for name in re.findall(r"`([^`]+)`", cells[-1]):
            start = re.split(r"\*| ?\.\.\.|…", name)[0]
            if start and start not in tests:
                yield f"{BUDGET}: there is no test {name}"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    found = list(budget_names(root))
    for file in pages(root):
        page, text = file.relative_to(root).as_posix(), file.read_text()
        found += [*missing_files(root, page, text), *broken_tables(page, text)]
    print("\n".join(found))
    sys.exit(1 if found else 0)


main()
