"""Checks in a child process, which the kernel ends when their time is up: within one long call of Arb no handler of a signal runs."""
import os
import signal
from multiprocessing import Pipe

from enclosure import OutOfReach

BEGUN, OUTCOME, RESULT, FAILURE = range(4)  # what a child sends


class Attempts:
    """In the child: runs checks one by one, `seconds` of processor time for each; the first ones' outcomes may be known already."""

    def __init__(self, seconds, outcomes, pipe):
        self._seconds, self._known, self._pipe = seconds, iter(outcomes), pipe
        self._wind_up()

    def _wind_up(self):
        signal.setitimer(signal.ITIMER_PROF, self._seconds)

    def run(self, check):
        """check()'s outcome: a verdict and a detail."""
        outcome = next(self._known, None)
        if outcome is None:
            self._pipe.send((BEGUN, None))
            outcome = check()
            self._pipe.send((OUTCOME, outcome))
            self._wind_up()
        return outcome


def in_child(work, seconds, given_up):
    """What work(attempts) returns or raises. The outcome of a check that takes longer is given_up(why), and another child goes on behind it.
    OutOfReach where something else takes longer than a check may."""
    outcomes = []
    while True:
        receiver, sender = Pipe(duplex=False)
        child = os.fork()
        if child == 0:
            receiver.close()
            _work(work, seconds, outcomes, sender)
        sender.close()
        last = None
        try:
            while True:
                last, value = receiver.recv()
                if last == RESULT:
                    return value
                if last == FAILURE:
                    raise value
                if last == OUTCOME:
                    outcomes.append(value)
        except (EOFError, ConnectionError):
            pass  # it was ended
        finally:  # also of Ctrl-C
            receiver.close()
            os.kill(child, signal.SIGKILL)
            status = os.waitpid(child, 0)[1]
        by = os.WTERMSIG(status)
        why = f"{seconds:g} seconds were not enough" if by == signal.SIGPROF else f"signal {by} ended the check"
        if last != BEGUN:
            raise OutOfReach(why)
        outcomes.append(given_up(why))


def _work(work, seconds, outcomes, pipe):
    """Of the child, which ends here: with nothing of the parent's handlers, buffers and clean-ups."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        try:
            message = RESULT, work(Attempts(seconds, outcomes, pipe))
        except Exception as failure:
            message = FAILURE, failure
        signal.setitimer(signal.ITIMER_PROF, 0)
        pipe.send(message)
    finally:
        os._exit(0)
