"""Re-proves answers of `pld --json` and exports of `pld ledger`. `bash tools/verify` calls it; docs/verify.md says what it does, and why that is a proof."""
import argparse
import sys

from answers import claims_of, verdict_of
from claims import FALSE, NOT_PROVED, PROVED, parsed
from mechanisms import BadInput
from vectors import answers_of

EXIT = {PROVED: 0, NOT_PROVED: 1, FALSE: 4}


def main():
    parser = argparse.ArgumentParser(prog="verify", description="re-prove answers of pld --json: PROVED (exit status 0), NOT PROVED (1), "
                                     "FALSE (4); bad input 2")
    parser.add_argument("answers", metavar="ANSWER.json", help="a file of answers, one JSON object a line, or a ledger's export; - for standard input")
    parser.add_argument("--seconds", type=seconds, default=600, help="of processor time for one end of a bracket (600)")
    options = parser.parse_args()
    try:
        with sys.stdin if options.answers == "-" else open(options.answers, encoding="utf-8") as file:
            lines = [line for line in file if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        return refuse(f"{options.answers}: {error}")
    if not lines:
        return refuse(f"{options.answers} is empty, but must hold an answer")
    worst = PROVED
    try:
        for part in parts_of(lines):
            answer = part if isinstance(part, dict) else parsed(part[0])
            claims = claims_of(tuple(part) if isinstance(part, list) and len(part) > 1 else answer, options.seconds)
            verdict = verdict_of(claims)
            print(one_line(f"{answer['id']}: " if "id" in answer else "") + verdict, flush=True)
            for claim in claims:
                print(one_line(f"    {claim.verdict}: {claim.what}{' (' + claim.detail + ')' if claim.detail else ''}"), flush=True)
            worst = max(worst, verdict, key=EXIT.get)
    except (BadInput, ValueError, RecursionError) as error:  # the latter of what is nested too deep
        return refuse(one_line(str(error)))
    return EXIT[worst]


def one_line(text):
    """Without what would end a line, or cannot be written."""
    return text if text.isprintable() else text.encode("unicode_escape").decode()


def parts_of(lines):
    """The lines of each answer, one or all of a ledger; or the rows of a file of vectors."""
    try:
        whole = parsed("".join(lines))
    except (ValueError, RecursionError):
        whole = None  # lines
    if isinstance(whole, dict) and "about" in whole:
        return list(answers_of(whole))
    parts = []
    for line in (line.rstrip("\n") for line in lines):
        if parts and parts[-1][0].startswith('{"pld-budget"') and not parts[-1][-1].startswith('{"end"'):
            parts[-1].append(line)
        else:
            parts.append([line])
    return parts


def refuse(message):
    print(f"verify: {message}", file=sys.stderr)
    return 2


def seconds(text):
    value = float(text)
    if not 1e-3 <= value <= 1e9:
        raise argparse.ArgumentTypeError(f"{text} must be from 0.001 to 1e9")
    return value


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
