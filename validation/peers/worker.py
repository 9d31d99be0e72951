"""One accountant on one workload, alone in a process: prints a line of JSON with its bracket and the median time of a
call. The caller's time limit ends it."""
import json
import statistics
import sys
import time
import warnings

from accountants import ACCOUNTANTS

REPEATS, PATIENCE = 5, 2.0  # calls, and the seconds after which no further one starts


def main():
    accountant, workload, delta = sys.argv[1], json.loads(sys.argv[2]), float(sys.argv[3])
    warnings.simplefilter("ignore")
    seconds = []
    try:
        while len(seconds) < REPEATS and sum(seconds) < PATIENCE:
            start = time.perf_counter()
            bracket = ACCOUNTANTS[accountant](workload, delta)
            seconds.append(time.perf_counter() - start)
    except NotImplementedError as refusal:
        print(json.dumps({"refused": str(refusal)}))
    except Exception as error:  # whatever a library throws is its answer
        print(json.dumps({"failed": f"{type(error).__name__}: {error}"[:120]}))
    else:
        # The first call pays for imports.
        steady = seconds[1:] or seconds
        bracket = [None if end is None else repr(float(end)) for end in bracket]
        print(json.dumps({"bracket": bracket, "seconds": statistics.median(steady)}))


main()
