"""Writes the files of tests/vectors into a folder: python3 make.py FOLDER [FILE...]. `bash tools/vectors` calls it."""
import json
import pathlib
import sys

from families import FAMILIES


def main(folder, *names):
    for family in FAMILIES:
        file = family.__name__.replace("_", "-") + ".json"
        if names and file not in names:
            continue
        made = family()
        rows = ",\n".join(json.dumps(row) for row in made.rows)
        text = f'{{"format": 1,\n"method": {json.dumps(made.method)},\n"about": "{made.about}",\n"rows": [\n{rows}\n]}}\n'
        (pathlib.Path(folder) / file).write_text(text)
        print(f"{file}: {len(made.rows)} rows", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
