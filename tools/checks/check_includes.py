#!/usr/bin/env python3
"""Fails unless every #include keeps to the map of rooms: which room may know which, what is public, what a room keeps to itself.

usage: check_includes.py PROJECT_ROOT
"""
import pathlib
import re
import sys

# Each room (a folder of src, and of include/pld for its public headers) and those it may include besides itself.
BELOW = {
    "core": [],
    "numeric": ["core"],
    "pairs": ["core", "numeric"],
    "mechanisms": ["core", "numeric", "pairs"],
    "sampling": ["core", "numeric", "pairs", "mechanisms"],
    "lattice": ["core", "numeric", "pairs"],
    "engines": ["core", "numeric", "pairs", "mechanisms", "lattice"],
    "account": ["core", "numeric", "pairs", "mechanisms", "sampling", "lattice", "engines"],
    "readout": ["core", "numeric", "pairs", "mechanisms", "engines", "account"],
    # The bounds are an independent witness: the mechanisms' parameters, none of the engines.
    "bounds": ["core", "numeric", "pairs", "mechanisms"],
    "calibrate": ["core", "numeric", "pairs", "mechanisms", "lattice", "engines", "account", "readout", "bounds"],
    "audit": ["core", "numeric", "pairs", "mechanisms", "engines", "account", "readout", "bounds"],
    "formats": ["core", "numeric", "pairs", "mechanisms", "sampling", "account", "readout", "bounds", "calibrate"],
    "ledger": ["core", "numeric", "pairs", "mechanisms", "account", "readout", "bounds", "calibrate", "formats"],
    "report": ["core", "numeric", "pairs", "mechanisms", "sampling", "account", "readout", "bounds", "calibrate", "audit", "formats"],
}
STANDARD_ONLY = ["core"]  # rooms that use no library
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def parts(path):
    """The room of a header as it is included, and whether it is public."""
    public = path.startswith("pld/")
    return path.removeprefix("pld/").split("/")[0], public


class Project:
    def __init__(self, root):
        self.root = root
        self.files = {}  # as it is included, or relative to src -> its path
        for folder in ("include", "src"):
            for file in sorted((root / folder).rglob("*.[hc]pp")):
                self.files[file.relative_to(root / folder).as_posix()] = file
        self.includes = {name: INCLUDE.findall(file.read_text()) for name, file in self.files.items()}

    def violations(self):
        for name, includes in self.includes.items():
            room, public = parts(name)
            if name == "pld/pld.hpp":
                continue
            if room not in BELOW:
                yield name, f"{room} is no room that this script lists"
                continue
            for bracket, include in includes:
                reached, to_public = parts(include)
                if include in self.files:
                    if bracket == "<":
                        yield name, f"<{include}> is the project's own: use quotes"
                    if reached not in [room, *BELOW[room]]:
                        yield name, f"{room} includes {include}, but may include only {', '.join([room, *BELOW[room]])}"
                    if public and not to_public:
                        yield name, f"a public header includes {include}, which is not installed"
                elif bracket == '"':
                    yield name, f"there is no {include}: paths start at src or include"
                elif public and ("/" in include or include.endswith(".h")):
                    yield name, f"a public header includes <{include}>, but libraries belong in src"
                elif room in STANDARD_ONLY and "/" in include:
                    yield name, f"{room} includes <{include}>, but may include only the standard library"

    def circles(self):
        """Modules (a header and its source) that include each other, along any path."""
        module = lambda name: re.sub(r"\.[hc]pp$", "", name.removeprefix("pld/"))
        graph = {}
        for name, includes in self.includes.items():
            graph.setdefault(module(name), set()).update(
                module(i) for _, i in includes if i in self.files and module(i) != module(name))
        done, path = set(), []

        def visit(node):
            if node in path:
                yield path[path.index(node):] + [node]
                return
            if node in done:
                return
            done.add(node)
            path.append(node)
            for below in sorted(graph.get(node, ())):
                yield from visit(below)
            path.pop()

        for node in sorted(graph):
            yield from visit(node)


def main():
    project = Project(pathlib.Path(sys.argv[1]).resolve())
    found = [f"{name}: {problem}" for name, problem in project.violations()]
    found += [" -> ".join(circle) + ": these include each other" for circle in project.circles()]
    print("\n".join(found))
    sys.exit(1 if found else 0)


main()
