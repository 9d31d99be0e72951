"""A sample of the relations and the doors, and that answers which are moved a little contradict each of the relations."""
import pathlib
import random
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import doors  # noqa: E402
import relations  # noqa: E402
import scatter  # noqa: E402


def test_related_answers_do_not_exclude_each_other():
    found = []
    tally = relations.look(80, 1, tell=found.append)
    assert not found
    assert tally.sharp.total() > 20  # narrow enough to exclude much


class Moved(relations.pld.Bracket):
    """An answer three times its width and a thousandth away from where it was."""

    def __new__(cls, bracket, sign):
        step = sign * (3 * (bracket.upper - bracket.lower) + 1e-3 * abs(bracket.upper))
        return super().__new__(cls, *(end + step for end in (bracket.lower, bracket.estimate, bracket.upper)))

    @property
    def log_delta(self):
        return self


class Mistaken(relations.Asked):
    """Answers that are moved by chance."""

    def ask(self, run, query, value, direction, **options):
        answer = super().ask(run, query, value, direction, **options)
        bracket = answer.log_delta if query == "delta" else answer
        sign = random.Random(repr((run, query, value, direction, options))).choice([-1, 0, 1])
        return Moved(bracket, sign) if sign and abs(bracket.lower) < float("inf") else answer


def cheap(rng):
    """What is known in closed form by itself, and listed with another."""
    entry = rng.choice([{"type": "laplace", "scale": rng.uniform(1, 9)}, {"type": "mass-table", "p": [0.25, 0.75], "q": [0.5, 0.5], "count": 2}])
    return {**entry, **({"sampling": {"poisson": rng.uniform(0.1, 0.9)}} if rng.random() < 0.3 else {})}


@pytest.mark.parametrize("relation", relations.RELATIONS, ids=lambda relation: relation.__name__)
def test_moved_answers_contradict(relation, monkeypatch):
    monkeypatch.setattr(relations, "mechanism", cheap)
    assert relations.look(15, 2, asked=Mistaken, relations=[relation]).contradicted.total() > 0
    assert relations.look(3, 2, relations=[relation]).contradicted.total() == 0


@pytest.mark.skipif("PLD" not in doors.os.environ, reason="PLD names no command")
def test_doors():
    counts, wrong = doors.compared(4, 1)
    assert not wrong
    for door in ("delta again", "epsilon again", "delta command", "delta batch", "epsilon command", "epsilon batch", "epsilon many", "epsilon curve"):
        assert counts[door]["the same"] == 4


def test_kinships():
    assert doors.kinship((1, 2), (1, 2)) == "the same"
    assert doors.kinship((1, 2), (1, 2 + 1e-15)) == "to rounding"
    assert doors.kinship((1, 2), (1.5, 1.75)) == "inside"
    assert doors.kinship((1, 2), (1.5, 2.5)) == "overlapping"
    assert doors.kinship((1, 2), (2.5, 3)) == "disjoint"


def test_a_scatter_picture_has_a_row_for_each_command(tmp_path, capsys):
    picture = tmp_path / "zoo.png"
    scatter.main(str(picture), "6", "1", doors.PLD, doors.PLD)
    assert picture.read_bytes().startswith(b"\x89PNG")
    before, after = capsys.readouterr().out.splitlines()[-2:]
    assert before.startswith("| before") and after.startswith("| after")
    assert before.split("|")[-2] == after.split("|")[-2]  # the same answers


def test_widths_are_relative_and_known():
    bracket = {"lower": 4, "estimate": 5, "upper": 8}
    assert scatter.width({"query": "epsilon", "epsilon": bracket}) == 0.5
    assert scatter.width({"query": "delta", "log_delta": bracket}) == 4
    assert scatter.width({"query": "epsilon", "epsilon": {**bracket, "lower": None}}) is None
    assert scatter.width({"query": "epsilon", "epsilon": {**bracket, "upper": "inf"}}) is None
    assert scatter.width({"error": "no"}) is None
