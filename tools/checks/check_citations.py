#!/usr/bin/env python3
"""Fails unless each work cited, as "Zhu, Dong, Wang 2022", is in docs/bibliography.md, and each work there is cited.

usage: check_citations.py PROJECT_ROOT
"""
import pathlib
import re
import sys
import unicodedata

BIBLIOGRAPHY = "docs/bibliography.md"
FOLDERS = ["docs", "examples", "include", "python", "src", "tests", "tools", "validation"]
PAGES = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"]
SUFFIXES = {".hpp", ".cpp", ".md", ".py", ".txt"}
NAME = r"(?:(?:van|du|de) )?[A-Z][a-z]*(?:[A-Z][a-z]+)?(?:[- ][A-Z][a-z]+)?"
CITATION = re.compile(rf"({NAME}(?:, {NAME})*(?: et al\.)?),? \(?((?:18|19|20)\d\d)\b(?![-.]\d)")
QUOTED = {("Wang et al.", "2018")}  # another text's words, in validation/report
NO_AUTHOR = re.compile(r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Bureau)$")


def plain(text):
    """One line without comment signs, accents and the several ways to write "and"."""
    text = re.sub(r"\"\s*\n\s*\"", "", text)
    text = re.sub(r"\s*\n\s*(?:///?<?|#|\*)?\s*", " ", text)
    text = unicodedata.normalize("NFD", text)
    text = "".join(c for c in text if not unicodedata.combining(c))
    return re.sub(r",? (?:and|&) (?=(?:van |du )?[A-Z])", ", ", text)


def files(root):
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in SUFFIXES and "corpus" not in file.parts and file != root / BIBLIOGRAPHY:
                yield file
    yield from (root / page for page in PAGES)


def entries(root):
    """Keys in the bibliography, each (authors, year), in plain letters."""
    keys = re.findall(r"^- \*\*(.+) (\d{4})\*\*: .+ (?:\[.+\]\(https://.+\)|<https://.+>)$", (root / BIBLIOGRAPHY).read_text(), re.M)
    return [(plain(authors), year) for authors, year in keys]


def meant(authors, year, known):
    """The entries that a citation can stand for. Words of the sentence may precede the first name."""
    if authors.endswith(" et al."):
        named = authors.removesuffix(" et al.")
        starts = lambda key: [", ".join(key[0].split(", ")[:n]) for n in range(1, key[0].count(", ") + 1)]
    else:
        named = authors
        starts = lambda key: [key[0]]
    return [key for key in known if key[1] == year
            and any(re.search(rf"(?<![^ ])(?<!, ){re.escape(start)}$", named) for start in starts(key))]


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    known, cited, found = entries(root), set(), []
    for file in files(root):
        for authors, year in CITATION.findall(plain(file.read_text(errors="replace"))):
            if NO_AUTHOR.search(authors) or any((authors.endswith(a) and year == y) for a, y in QUOTED):
                continue
            works = meant(authors, year, known)
            cited.update(works)
            if len(works) != 1:
                which = "several works" if works else "a work that is not"
                found.append(f"{file.relative_to(root)}: {authors} {year} stands for {which} in {BIBLIOGRAPHY}")
    if len(known) != (root / BIBLIOGRAPHY).read_text().count("\n- "):
        found.append(f"{BIBLIOGRAPHY}: an entry is not of the form '- **AUTHORS YEAR**: TITLE. LINK'")
    found += [f"{BIBLIOGRAPHY}: nothing cites {authors} {year}" for authors, year in known if (authors, year) not in cited]
    found += [f"{BIBLIOGRAPHY}: {key} is listed twice" for key in sorted({k for k in known if known.count(k) > 1})]
    print("\n".join(found))
    sys.exit(1 if found else 0)


main()
