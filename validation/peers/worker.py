"""One accountant on one question, alone in a process: reads the method's arguments from standard input, prints a line
of JSON with its bounds and the median time of a call. The caller's time limit ends it."""
import json
import resource
import statistics
import sys
import warnings

from accountants import ACCOUNTANTS

REPEATS, PATIENCE = 11, 10.0  # calls, and the seconds after which no further one starts


def cpu_seconds():
    """Of this process and those it has started: what else the machine does makes it no longer."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def plain(bounds):
    return [None if end is None else float(end) for end in bounds]


def main():
    ask, arguments = getattr(ACCOUNTANTS[sys.argv[1]], sys.argv[2]), json.load(sys.stdin)
    warnings.simplefilter("ignore")
    seconds = []
    try:
        while len(seconds) < REPEATS and sum(seconds) < PATIENCE:
            start = cpu_seconds()
            found = ask(**arguments)
            seconds.append(cpu_seconds() - start)
    except NotImplementedError as refusal:
        print(json.dumps({"refused": str(refusal)}))
    except Exception as error:  # whatever a library throws is its answer
        print(json.dumps({"failed": f"{type(error).__name__}: {error}"[:120]}))
    else:
        # The first call pays for imports; they are little of one that took all the patience.
        steady = seconds[1:] or seconds
        bounds = [plain(one) for one in (found if isinstance(found, list) else [found])]
        print(json.dumps({"bounds": bounds, "seconds": statistics.median(steady)}))


main()
