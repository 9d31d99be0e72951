"""What a page says that its Python prints."""
import re


def examples_told(page):
    """Runs the page's blocks of Python in order. How many lines told their value, in a comment: as repr() has it, up to ": "."""
    names = {}
    told = 0
    for block in re.findall(r"```python\n(.*?)```", page, re.S):
        for line in block.splitlines():
            code, _, comment = line.partition("  # ")
            try:
                value = eval(code, names)
            except SyntaxError:
                exec(code, names)
                continue
            if comment:
                assert repr(value) == comment.strip().partition(": ")[0], line
                told += 1
    return told
