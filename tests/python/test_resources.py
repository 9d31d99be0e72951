"""What many queries leave behind, and whether a person can stop them."""
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


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="no /proc here")
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


def test_ctrl_c_is_heard_between_runs():
    runs = [k * pld.gaussian(sigma=0.8, poisson=0.005) for k in range(1, 4000)] * 10
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        pld.epsilon_many(runs, 1e-6, threads=1)
    assert time.monotonic() - start < 5


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
