"""What many queries leave behind, and whether a person can stop them."""
import asyncio
import concurrent.futures
import ctypes
import ctypes.util
import gc
import os
import platform
import resource
import signal
import subprocess
import sys
import threading
import time

import numpy as np
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
    open = pld.discrete_gaussian(sigma=pld.unknown, poisson=0.02, count=4000) + pld.skellam(variance=100, poisson=0.1, count=100)
    with pld.TimeLimit(1e-6), pytest.raises(TimeoutError, match="^calibrate: no value is certified within the time limit$"):
        open.calibrate(epsilon=1, delta=1e-6)
    with pytest.raises(pld.DomainError, match="seconds is 0"):
        pld.TimeLimit(0)


@pytest.mark.parametrize("what", ["made", "asked"])
def test_other_threads_run_while_a_mechanism_is(what, tmp_path):
    """Of half a second or more, no other thread waits for half."""
    np.save(tmp_path / "strategy.npy", np.tril(np.random.default_rng(0).normal(size=(1200, 1200))))
    mixture = pld.gaussian_mixture(sigma=1, shifts=[i / 20 for i in range(1, 1001)], weights=[1 / 1000] * 1000)
    work = {"made": lambda: pld.gaussian(sigma=8, matrix=str(tmp_path / "strategy.npy"), participations=5, min_separation=100),
            "asked": lambda: mixture.epsilon(1e-9)}[what]
    thread = threading.Thread(target=work)
    begin = last = time.perf_counter()
    longest = 0
    thread.start()
    while thread.is_alive():
        time.sleep(0.001)
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    assert longest < (last - begin) / 2


def test_limits_end_in_any_order():
    dear = 4000 * pld.discrete_gaussian(sigma=3.9, poisson=0.02)
    is_limited = lambda: not dear.epsilon(delta=0.01, tolerance=1e-7).converged
    short, long = pld.TimeLimit(1e-6), pld.TimeLimit(1e3)

    async def within(limit, before, seconds):
        await asyncio.sleep(before)
        with limit:
            await asyncio.sleep(seconds)

    async def both():
        await asyncio.gather(within(short, 0, 0.05), within(long, 0.01, 0.1))

    asyncio.run(both())
    assert not is_limited()
    with short:
        assert is_limited()
        with pytest.raises(pld.DomainError, match="left before it is entered again"), short:
            pass
        with long:
            assert is_limited()
        assert is_limited()
    assert not is_limited()
    entered = threading.Thread(target=short.__enter__)
    entered.start()
    entered.join()
    assert not is_limited()  # another thread's
    short.__exit__(None, None, None)
    with short, pld.TimeLimit(1e30):
        assert is_limited()
    assert not is_limited()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_waits_for_no_work_of_its_parent():
    done = subprocess.run([sys.executable, "-c", """if True:
        import os, threading, time, pld
        dear = 1000 * pld.generalized(shape=1.3, scale=20, poisson=0.1) + pld.skellam(variance=20, count=3)
        thread = threading.Thread(target=dear.explain)
        thread.start()
        time.sleep(0.2)
        child = os.fork()
        if child:
            end = time.monotonic() + 20
            while (ended := os.waitpid(child, os.WNOHANG))[0] == 0 and time.monotonic() < end:
                time.sleep(0.05)
            if ended[0] == 0:
                os.kill(child, 9)
            thread.join()
            print(ended[0] == child and ended[1] == 0)
        """], capture_output=True, text=True, timeout=120)
    assert done.stdout == "True\n", done


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_children_ask_whatever_other_threads_are_asking():
    """Without a wait for what they compute one child in five has a lock that nobody is left to give back."""
    done = subprocess.run([sys.executable, "-c", """if True:
        import os, random, threading, time, pld
        def ask():
            run = pld.skellam(variance=100 + random.random()) + pld.laplace(scale=30 + random.random(), poisson=.1)
            run.epsilon(1e-6)
        def ask_on():
            while True:
                ask()
        def ask_many():
            while True:
                pld.epsilon_many([pld.laplace(scale=30 + random.random(), poisson=.1) for _ in range(50)], 1e-6)
        for work in (ask_on, ask_on, ask_many):
            threading.Thread(target=work, daemon=True).start()
        ended = 0
        for _ in range(40):
            child = os.fork()
            if not child:
                ask()
                os._exit(0)
            end = time.monotonic() + 20
            while (at := os.waitpid(child, os.WNOHANG)) == (0, 0) and time.monotonic() < end:
                time.sleep(0.002)
            if at != (child, 0):
                os.kill(child, 9)
                break
            ended += 1
        print(ended, flush=True)
        os._exit(0)
        """], capture_output=True, text=True, timeout=300)
    assert done.stdout == "40\n", done


@pytest.mark.parametrize("ask", ["pld.gaussian(sigma=1).epsilon(1e-6)", "pld.laplace(scale=30 + random.random(), poisson=.1).epsilon(1e-6)",
                                 "pld.epsilon_many([pld.laplace(scale=30 + random.random(), poisson=.1)] * 20, 1e-6)"])
def test_a_process_ends_whatever_daemon_threads_are_asking(ask):
    """A thread that the interpreter ends while it takes the GIL back aborted the process; what it held was told as leaked."""
    program = f"""if True:
        import random, threading, time, pld
        def ask_on():
            while True:
                {ask}
        for _ in range(3):
            threading.Thread(target=ask_on, daemon=True).start()
        time.sleep(0.1 * random.random())"""
    for _ in range(8):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="no /proc here")
@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer keeps what is freed")
def test_an_interpreter_beside_the_main_one_ends_with_the_process():
    """A web server may keep such as long as it lives (mod_wsgi does)."""
    pytest.importorskip("_xxsubinterpreters")
    inside = f"import sys; sys.path[:] = {sys.path!r}; import pld; print(pld.gaussian(sigma=1).epsilon(delta=1e-5))"
    program = f"import _xxsubinterpreters as beside; beside.run_string(beside.create(), {inside!r})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Epsilon(4.37717 <= 4.37718)\n", "")


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
    epoch = pld.laplace(scale=1, allocation=1_000_000)
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
