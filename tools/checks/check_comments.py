#!/usr/bin/env python3
"""Fails for comments that are hard to read once: a sentence of more than 30 words, one without a verb, a riddle.

usage: check_comments.py PROJECT_ROOT
"""
import pathlib
import re
import sys

FOLDERS = ["include", "src", "tools", "python/binding"]
MOST_WORDS = 30  # formulas and numbers do not count
RIDDLES = {
    r"nothing of anything": "say what is 0 and what comes out",
    r"says something else": "say by how much the two differ",
    r"is to be had": "say where it comes from",
    r"must satisfy": "'must be'",
    r"^Of (?:a|an|the|one|some|two|it)\b": "a verb: 'Bracket of max(a, b)', not 'Of the larger one'",
}
COMMENT = re.compile(r"^\s*//[/<]* ?(.*)$")
TRAILING = re.compile(r"[;,{})]\s+//[/<]* (.*)$")


def comments(text):
    """(line, text) of each run of comment lines, and of each comment behind code."""
    block, start = [], 0
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if found := COMMENT.match(line):
            start = start if block else number
            block.append(found[1])
            continue
        if block:
            yield start, block
            block = []
        if found := TRAILING.search(line):
            yield number, [found[1]]


def sentences(block):
    """Lists and indented formulas are sentences of their own; so is what follows a colon or a semicolon."""
    text = "".join("\n" + line if re.match(r"\s{2,}|- |\d\. |$", line) else " " + line for line in block)
    for paragraph in text.split("\n"):
        yield from re.split(r"(?<=[.!?])\s+(?=[A-Z(`\"])|(?<=[:;])\s", paragraph.strip())


def main():
    root, found = pathlib.Path(sys.argv[1]).resolve(), []
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*.[hc]pp")):
            for line, block in comments(file.read_text()):
                for sentence in sentences(block):
                    words = len([word for word in sentence.split() if re.search(r"[A-Za-z]{2}", word)])
                    wrong = [f"{words} words"] if words > MOST_WORDS else []
                    wrong += [better for riddle, better in RIDDLES.items() if re.search(riddle, sentence)]
                    found += [f"{file.relative_to(root)}:{line}: {'; '.join(wrong)}: {sentence}"] if wrong else []
    print("\n".join(found))
    sys.exit(1 if found else 0)


main()
