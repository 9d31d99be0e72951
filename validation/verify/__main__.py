"""Re-proves answers of `pld --json` and exports of `pld ledger`. `bash tools/verify` calls it; docs/verify.md says what it does, and why that is a proof."""
import argparse
import json
import sys

from answers import claims_of, verdict_of
from claims import FALSE, NOT_PROVED, PROVED
from ledgers import ledger_claims
from mechanisms import BadInput

EXIT = {PROVED: 0, NOT_PROVED: 1, FALSE: 4}


def main():
    parser = argparse.ArgumentParser(prog="verify", description="re-prove answers of pld --json: PROVED (exit status 0), NOT PROVED (1), "
                                     "FALSE (4); bad input 2")
    parser.add_argument("answers", metavar="ANSWER.json", help="a file of answers, one JSON object a line, or a ledger's export; - for standard input")
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
    for part in parts_of(lines):
        try:
            answer = json.loads(part[0])
            claims = list(ledger_claims(part, options.seconds)) if len(part) > 1 else claims_of(answer, options.seconds)
        except (BadInput, ValueError) as error:
            return refuse(str(error))
        verdict = verdict_of(claims)
        name = f"{answer['id']}: " if "id" in answer else ""
        print(f"{name}{verdict}", flush=True)
        for claim in claims:
            print(f"    {claim.verdict}: {claim.what}{' (' + claim.detail + ')' if claim.detail else ''}", flush=True)
        worst = max(worst, verdict, key=EXIT.get)
    return EXIT[worst]


def parts_of(lines):
    """The lines of each answer: one, or all of a ledger."""
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


if __name__ == "__main__":
    sys.exit(main())
