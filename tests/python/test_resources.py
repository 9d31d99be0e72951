"""What many queries leave behind, and whether a person can stop them."""
import concurrent.futures
import ctypes
import ctypes.util
import gc
import os
import platform
import resource
import signal
import threading
import time

import pld
import pytest


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def test_a_time_limit_gives_what_is_known():
    dear = 4000 * pld.discrete_gaussian(sigma=3.9, poisson=0.02)
    ask = lambda: dear.epsilon(delta=0.01, tolerance=1e-7)
    whole = ask()
    with pld.TimeLimit(1e-6):
        short = ask()
        many = pld.epsilon_many([dear], [0.01], tolerance=1e-7)
    for lower, upper in ((short.lower, short.upper), (many.lower[0], many.upper[0])):
        assert lower <= whole.lower <= whole.upper <= upper
        assert upper - lower > 10 * (whole.upper - whole.lower)
    assert ask() == whole
    with pytest.raises(pld.DomainError, match="seconds is 0"):
        pld.TimeLimit(0)


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="no /proc here")
@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer keeps what is freed")
def test_memory_is_flat_over_1e5_queries():
    def ask(times):
        for i in range(times):
            run = pld.gaussian(sigma=1 + i % 7) + pld.laplace(scale=3)
            run.delta(0.1 * (i % 9)) if i % 100 == 0 else pld.gaussian(sigma=1 + i % 7).delta(0.3)
            run.to_json()
            try:
                pld.gaussian(sigma=-i)
            except pld.DomainError:
                pass
        gc.collect()

    ask(2_000)
    before = resident()
    ask(100_000)
    assert resident() - before < 2_000_000


def test_many_threads_ask_at_once():
    """One composition and one profile for all threads, and what only one of them asks."""
    runs = [200 * pld.gaussian(sigma=1, poisson=0.01), 3 * pld.laplace(scale=2),
            20 * pld.gaussian(sigma=3) + pld.randomized_response(p=0.7)]

    def ask(profiles):
        found = []
        for run, profile in zip(runs, profiles):
            found += [run.epsilon(1e-5).upper, run.delta(0.5).upper, profile.epsilon(1e-4).upper,
                      run.compare(1e-5).to_json(), pld.from_json(run.to_json()).epsilon(1e-3).upper]
            with pytest.raises(pld.DomainError):
                run.epsilon(-1)
        return found + list(pld.epsilon_many(runs, 1e-4, threads=2).upper)

    alone = ask([run.profile() for run in runs])
    shared = [run.profile() for run in runs]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(found == alone for found in pool.map(lambda _: ask(shared), range(8)))


def interrupted_after(seconds, ask):
    """How long ask() takes with Ctrl-C after so many seconds, also where this process was started to ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            ask()
    finally:
        signal.signal(signal.SIGINT, before)
    return time.monotonic() - start


def test_ctrl_c_is_heard_between_runs():
    runs = [k * pld.gaussian(sigma=0.8, poisson=0.005) for k in range(1, 4000)] * 3
    assert interrupted_after(0.5, lambda: pld.epsilon_many(runs, 1e-6, threads=1)) < 2


def test_ctrl_c_is_heard_within_a_query():
    """What was asked goes on unheard, and may be asked again."""
    epoch = pld.gaussian(sigma=1, allocation=1_000_000)
    took = interrupted_after(0.1, lambda: epoch.epsilon(1e-5, tolerance=1e-4))
    start = time.monotonic()
    assert epoch.epsilon(1e-5, tolerance=1e-4).converged
    assert took < 0.1 + 0.5 * (time.monotonic() - start)


def test_ctrl_c_is_heard_while_the_best_of_several_runs_is_composed():
    run = pld.gaussian(sigma=1, allocation=100_000)
    took = interrupted_after(0.05, lambda: run.best_of("geometric:mean=10"))
    start = time.monotonic()
    run.best_of("geometric:mean=10")
    assert took < 0.05 + 0.5 * (time.monotonic() - start)


def test_progress():
    told = []
    runs = [k * pld.gaussian(sigma=0.8, poisson=0.005) for k in range(1000, 1300)]
    pld.epsilon_many(runs, 1e-6, threads=2, progress=told.append)
    assert sum(told) == 300 and min(told) > 0
    with pytest.raises(ZeroDivisionError):
        pld.epsilon_many(runs, 1e-6, progress=lambda done: 1 / 0)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the modes' numbers are x86's")
def test_another_extension_may_have_set_the_arithmetic():
    libm = ctypes.CDLL(ctypes.util.find_library("m"))
    run = 100 * pld.gaussian(sigma=0.9, poisson=0.01) + pld.laplace(scale=30)

    def answers():
        return repr(run.epsilon(1e-6)), repr(run.delta(0.5)), repr(pld.laplace(scale=3).epsilon(1e-3))

    expected = answers()
    for mode in (0x400, 0x800, 0xC00):  # down, up, towards zero: x86's
        assert libm.fesetround(mode) == 0
        try:
            run = 100 * pld.gaussian(sigma=0.9, poisson=0.01) + pld.laplace(scale=30)
            found = run.epsilon(1e-6), run.delta(0.5), pld.laplace(scale=3).epsilon(1e-3)
            kept = libm.fegetround()
        finally:
            libm.fesetround(0)
        assert kept == mode
        assert tuple(map(repr, found)) == expected
