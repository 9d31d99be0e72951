"""Pictures show the numbers that were computed, and vector files hold text."""
import math

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
import pld  # noqa: E402
import pld.plot  # noqa: E402

RUN = pld.gaussian(sigma=2, poisson=0.1, count=40) + pld.laplace(scale=9)


@pytest.fixture(autouse=True)
def close_figures():
    yield
    matplotlib.pyplot.close("all")


def drawn(axes, line=0):
    return axes.get_lines()[line].get_xydata().T


def test_lines_are_the_safe_ends():
    at = np.linspace(0, 3, 20)
    x, y = drawn(pld.plot.profile(RUN, at))
    assert list(x) == list(at) and list(y) == list(RUN.delta(at).upper)
    x, y = drawn(pld.plot.trade_off(RUN))
    assert list(y) == list(RUN.trade_off(x).lower)
    x, y = drawn(pld.plot.epsilon_against([1, 5, 9], lambda k: k * RUN, 1e-5, name="epochs"))
    assert y[2] == (9 * RUN).epsilon(1e-5).upper
    x, y = drawn(pld.plot.epsilon_against_delta(RUN, [1e-9, 1e-6, 1e-3]))
    assert list(y) == list(RUN.epsilon([1e-9, 1e-6, 1e-3]).upper)


def test_bands_hold_the_intervals():
    at = np.linspace(0, 3, 20)
    axes = pld.plot.profile(RUN, at)
    band = axes.collections[0].get_paths()[0].get_extents()
    found = RUN.delta(at)
    assert band.y0 == pytest.approx(found.lower.min()) and band.y1 == pytest.approx(found.upper.max())


def test_a_true_claim_lies_below_and_a_false_one_crosses():
    epsilon = RUN.epsilon(1e-5)
    for claimed, holds in ((epsilon.upper, True), (epsilon.lower / 4, False)):
        axes = pld.plot.trade_off(RUN, claim=(claimed, 1e-5))
        (_, ours), (_, promised) = drawn(axes, 0), drawn(axes, 1)
        assert bool(np.all(promised <= ours + 1e-3)) == holds


def test_a_false_claim_is_crossed_on_logarithmic_scales():
    epsilon = RUN.epsilon(1e-5)
    for claimed, holds in ((epsilon.upper, True), (epsilon.lower * 0.8, False)):
        axes = pld.plot.power(RUN, np.geomspace(1e-8, 1, 60), claim=(claimed, 1e-5))
        (x, ours), (_, allowed) = drawn(axes, 0), drawn(axes, 1)
        assert list(ours) == list(RUN.true_positive_rate(x).upper)
        assert bool(np.all(ours <= allowed * 1.001)) == holds and axes.get_xscale() == axes.get_yscale() == "log"


@pytest.mark.parametrize("run", [RUN, pld.zcdp(rho=0.1) + pld.laplace(scale=3), pld.dp(epsilon=0.5, delta=0, count=2)],
                         ids=["exact", "proved here", "allowed"])
def test_bounds_beside_the_answer(run, request):
    axes = pld.plot.bounds(run, 1e-5, loosest=10)
    shown = {label.get_text(): line.get_xdata()[0] for label, line in zip(axes.get_yticklabels(), axes.get_lines()[1:])}
    found = {bound.name: bound.epsilon for bound in run.compare(1e-5).applicable if bound.ratio <= 10}
    assert shown == found and len(found) > 2 and axes.get_lines()[0].get_xdata()[0] == run.epsilon(1e-5).upper
    assert axes.texts[0].get_text().startswith(f"{request.node.callspec.id}: ")
    assert ("<th>x allowed</th>" in run.compare(1e-5)._repr_html_()) == (request.node.callspec.id == "allowed")


def test_several_in_one_picture_as_a_vector_file(tmp_path):
    for axes, said in ((pld.plot.profile(pld.zcdp(rho=0.1)), "at most"), (pld.plot.trade_off(pld.zcdp(rho=0.1), label="z"), "z, at least"),
                       (pld.plot.epsilon_against([1, 2], lambda k: k * pld.zcdp(rho=0.1), 1e-5, name="k"), "at most")):
        assert [text.get_text() for text in axes.get_legend().get_texts()] == [said] and axes.get_lines()[0].get_linestyle() == "--"
    for ask in (lambda: pld.plot.profile("x"), lambda: pld.plot.power(RUN, claim=(1,)), lambda: pld.plot.profile(RUN, "a"),
                lambda: pld.plot.bounds(RUN, None)):
        with pytest.raises(pld.DomainError, match="but must be"):
            ask()
    figures = matplotlib.pyplot.get_fignums()
    for ask, says in ((lambda: pld.plot.profile(RUN, 3), "profile: epsilons is 3.0, but must be a row of numbers"),
                      (lambda: pld.plot.trade_off(RUN, [[0.1], [0.2]]), r"trade_off: alphas is array\(.*, but must be a row of numbers"),
                      (lambda: pld.plot.epsilon_against_delta(RUN, 1e-5), "deltas is 1e-05, but must be a row of numbers"),
                      (lambda: pld.plot.epsilon_against([1, 2], RUN, 1e-5, name="k"), "run is .*, but must be a function from a value"),
                      (lambda: pld.plot.power(RUN, [2.0]), "alpha is 2, but must be"),
                      (lambda: pld.plot.power(RUN, claim=(1, 2)), r"power: claim is \(1.0, 2.0\), but must be a finite epsilon with a delta from 0 to 1"),
                      (lambda: pld.plot.trade_off(RUN, claim=(math.nan, 0)), "trade_off: claim is .*, but must be a finite epsilon")):
        with pytest.raises(pld.DomainError, match=says):
            ask()
    assert matplotlib.pyplot.get_fignums() == figures  # nothing is drawn of what is refused
    axes = pld.plot.profile(RUN, label="both")
    assert pld.plot.profile(pld.laplace(scale=9), label="Laplace", axes=axes) is axes
    axes.figure.savefig(tmp_path / "profile.svg")
    text = (tmp_path / "profile.svg").read_text()
    assert ">Laplace<" in text or "Laplace" in text
