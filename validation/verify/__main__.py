"""Re-proves answers of `pld --json`. `bash tools/verify` calls it; docs/verify.md says what it does, and why that is a proof."""
import argparse
import json
import sys

from answers import FALSE, NOT_PROVED, PROVED, claims_of, verdict_of
from mechanisms import BadInput

EXIT = {PROVED: 0, NOT_PROVED: 1, FALSE: 4}


def main():
    parser = argparse.ArgumentParser(prog="verify", description="re-prove answers of pld --json: PROVED (exit status 0), NOT PROVED (1), "
                                     "FALSE (4); bad input 2")
    parser.add_argument("answers", metavar="ANSWER.json", help="a file of answers, one JSON object a line; - for standard input")
    parser.add_argument("--seconds", type=float, default=600, help="for one end of a bracket (600)")
    options = parser.parse_args()
    try:
        with sys.stdin if options.answers == "-" else open(options.answers, encoding="utf-8") as file:
            lines = [line for line in file if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        return refuse(f"{options.answers}: {error}")
    if not lines:
        return refuse(f"{options.answers} is empty, but must hold an answer")
    worst = PROVED
    for line in lines:
        try:
            answer = json.loads(line)
            claims = claims_of(answer, options.seconds)
        except (BadInput, ValueError) as error:
            return refuse(str(error))
        verdict = verdict_of(claims)
        name = f"{answer['id']}: " if "id" in answer else ""
        print(f"{name}{verdict}", flush=True)
        for claim in claims:
            print(f"    {claim.verdict}: {claim.what}{' (' + claim.detail + ')' if claim.detail else ''}", flush=True)
        worst = max(worst, verdict, key=EXIT.get)
    return EXIT[worst]


def refuse(message):
    print(f"verify: {message}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
