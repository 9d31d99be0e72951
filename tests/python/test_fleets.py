"""Budgets in PostgreSQL: a real server of the test's own, with settings that would break a promise if they were obeyed."""
import contextlib
import glob
import io
import json
import multiprocessing
import os
import pathlib
import pickle
import pwd
import random
import shutil
import socket
import subprocess
import tempfile
import threading
import time

import numpy as np
import pld
import pytest
from examples import examples_told

psycopg = pytest.importorskip("psycopg")
from pld.budgets import BudgetFailure, OverBudget, PostgresBudget  # noqa: E402

BINARIES = next((os.path.dirname(found) for found in sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), reverse=True)
                 + [shutil.which("initdb") or ""] if found), None)
COMMAND = os.environ.get("PLD")
needs_command = pytest.mark.skipif(not COMMAND, reason="PLD names no command")
pytestmark = pytest.mark.skipif(not BINARIES, reason="no PostgreSQL server here (Debian: apt-get install postgresql)")

# A spend must be safe and a change possible whatever the server's defaults are.
SETTINGS = {"listen_addresses": "''", "fsync": "off", "synchronous_commit": "off", "wal_writer_delay": "10s",
            "default_transaction_isolation": "serializable", "default_transaction_read_only": "on", "max_connections": 60,
            "shared_buffers": "8MB", "autovacuum": "off"}


class Server:
    def __init__(self, folder):
        self.folder = folder
        self.where = f"host={folder} user=pld dbname=postgres"
        # initdb refuses to be run by root.
        self.as_user = {}
        if os.geteuid() == 0:
            user = next(u for u in pwd.getpwall() if u.pw_name in ("postgres", "nobody"))
            os.chown(folder, user.pw_uid, user.pw_gid)
            self.as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        self.run("initdb", "-D", f"{folder}/data", "-A", "trust", "-U", "pld", "-N", "-E", "UTF8", "--locale=C")
        with open(f"{folder}/data/postgresql.conf", "a") as file:
            file.write("".join(f"{name} = {value}\n" for name, value in SETTINGS.items()))
            file.write(f"unix_socket_directories = '{folder}'\n")
        self.start()

    def run(self, program, *words):
        done = subprocess.run([f"{BINARIES}/{program}", *words], cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, **self.as_user)
        assert done.returncode == 0, done.stderr

    def start(self):
        self.run("pg_ctl", "-D", f"{self.folder}/data", "-w", "-l", f"{self.folder}/log", "start")

    def stop(self, mode="immediate"):
        self.run("pg_ctl", "-D", f"{self.folder}/data", "-w", "-m", mode, "stop")

    def connect(self):
        connection = psycopg.connect(self.where, autocommit=True)
        connection.execute("SET default_transaction_read_only = off")
        return connection

    @contextlib.contextmanager
    def pooled(self):
        """What gives one connection again and again."""
        with contextlib.closing(psycopg.connect(self.where)) as connection:
            yield lambda: contextlib.nullcontext(connection)

    def execute(self, statement, *values):
        with contextlib.closing(self.connect()) as connection:
            return connection.execute(statement, values or None).rowcount


@pytest.fixture(scope="module")
def server():
    folder = tempfile.mkdtemp(prefix="pld")
    try:
        made = Server(folder)
        yield made
        made.stop()
    finally:
        shutil.rmtree(folder)


def exported(budget):
    file = io.StringIO()
    budget.export_lines(file)
    return file.getvalue()


def command(*words):
    return subprocess.run([COMMAND, "ledger", *words], capture_output=True, text=True)


def spend(sigma):
    return pld.Composition(f"gaussian:sigma={sigma}")


# One client

def test_calibrates_to_what_the_filter_accepts(server):
    budget = PostgresBudget.create(server.where, "calibrated", epsilon=1, delta=1e-6)
    budget.spend(spend(20))
    found = budget.calibrate(pld.gaussian(sigma=pld.unknown))
    assert (found.unknown, found.converged, found.next_fails, found.attained) == ("sigma", True, True, [])
    assert found.next == np.nextafter(float(found), 0)
    with pytest.raises(OverBudget):
        budget.spend(spend(repr(found.next)))
    assert pickle.loads(pickle.dumps(found)).to_json() == found.to_json()
    steps = budget.calibrate(pld.gaussian(sigma=50, count=pld.unknown))
    assert (int(steps), repr(steps)) == (115, "Calibration(count = 115)")
    budget.spend(found.composition)
    assert budget.status().spends == 2
    with pytest.raises(pld.DomainError, match="no number is unknown"):
        budget.calibrate(spend(20))
    with pytest.raises(pld.DomainError, match="group is 3, but must be 1, as in the budget"):
        budget.calibrate(pld.gaussian(sigma=pld.unknown).in_groups(3))
    with pytest.raises(pld.DomainError, match="refuses even the safest, count = 1: rho would be "):
        budget.calibrate(pld.gaussian(sigma=1, count=pld.unknown))
    planned = PostgresBudget.create(server.where, "calibrated plan", epsilon=1, delta=1e-6, plan=spend(20))
    with pytest.raises(pld.DomainError, match="budget is a planned one"):
        planned.calibrate(pld.gaussian(sigma=pld.unknown))


@needs_command
def test_calibrates_as_the_command_does(server, tmp_path):
    budget = PostgresBudget.create(server.where, "calibrated twice", epsilon=3, delta=1e-5, filter="renyi", order=8)
    budget.spend(spend(20))
    lines = tmp_path / "lines"
    lines.write_text(exported(budget))
    run = ("gaussian:sigma=?,q=0.01,count=300",)
    said = subprocess.run([COMMAND, "calibrate", "--ledger", lines, *run, "--json"], capture_output=True, text=True).stdout
    found = json.loads(budget.calibrate(pld.gaussian(sigma=pld.unknown, poisson=0.01, count=300)).to_json())
    assert found | {"seconds": 0} == json.loads(said) | {"seconds": 0}


def test_spends_until_over(server):
    budget = PostgresBudget.create(server.where, "one", epsilon=1, delta=1e-6)
    assert budget.status(spend(20)).room == 19
    first = budget.spend(spend(20), token="job-17", name="é", note="a")
    assert (first.id, first.repeated) == (1, False) and repr(first) == "Spending(record 1, rho <= 0.00125 of 0.024356)"
    again = budget.spend(pld.gaussian(sigma=20), token="job-17")
    assert (again.id, again.repeated) == (1, True)  # all but the deltas' sum, which no record keeps
    assert again.fields["counted"] | {"delta_by_this": 0, "delta_upper": 0} == first.fields["counted"]
    assert budget.spend(18 * pld.gaussian(sigma=20)).id == 2
    with pytest.raises(OverBudget, match="budget 'one' refuses it: rho would be 0.025, of 0.0243") as refused:
        budget.spend(spend(20))
    assert refused.value.fields["accepted"] is False and str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)
    assert budget.undo(1) == 3
    found = pickle.loads(pickle.dumps(budget)).status(spend(20))
    assert (found.records, found.spends, found.room, found.fields["counted"]["exact"]) == (3, 1, 1, "9/400")
    assert [sorted(r)[0] for r in budget.records()] == ["counts", "counts", "id"]
    assert budget.records()[0]["standing"] is False and budget.records()[0]["name"] == "é"


def test_what_the_page_shows(server):
    page = (pathlib.Path(__file__).resolve().parents[2] / "docs/budgets.md").read_text()
    assert examples_told(page.replace("host=db dbname=privacy", server.where)) == 3


def test_planned(server):
    budget = PostgresBudget.create(server.where, "plan", epsilon=1, delta=1e-6,
                                   plan=3 * pld.gaussian(sigma=20) + pld.laplace(scale=50))
    assert budget.spend(2 * pld.gaussian(sigma=20)).id == 3
    with pytest.raises(OverBudget, match="the plan has 3, of which 2 are made"):
        budget.spend(2 * pld.gaussian(sigma=20))
    with pytest.raises(OverBudget, match="laplace:scale=51 is not in the plan"):
        budget.spend(pld.laplace(scale=51))
    budget.undo(3)
    budget.spend(3 * pld.gaussian(sigma=20) + pld.laplace(scale=50))
    assert [(item["planned"], item["made"]) for item in budget.status().fields["plan"]] == [(3, 3), (1, 1)]
    with pytest.raises(pld.DomainError, match="plan: delta at epsilon 1 is"):
        PostgresBudget.create(server.where, "large", epsilon=1, delta=1e-6, plan=pld.gaussian(sigma=2))
    with pytest.raises(pld.DomainError, match="budget 'large' does not exist"):
        budget_of(server, "large").status()


def budget_of(server, name, **options):
    return PostgresBudget(server.where, name, **options)


def test_a_plan_of_long_mechanisms(server):
    """Longer than a key of an index may be."""
    digits = random.Random(8)
    shifts = [digits.random() for _ in range(1000)]
    mechanism = pld.gaussian_mixture(sigma=30, shifts=shifts, weights=[1 / 1000] * 1000)
    budget = PostgresBudget.create(server.where, "long", epsilon=1, delta=1e-6, plan=mechanism)
    assert budget.spend(mechanism).id == 2 and budget.status(mechanism).room == 0


def test_selections_and_groups(server):
    budget = PostgresBudget.create(server.where, "tuned", epsilon=2, delta=1e-6, filter="renyi", group=2)
    tuned = pld.gaussian(sigma=50).in_groups(2).best_of("geometric:mean=10")
    assert budget.status(tuned).room > 0 and budget.spend(tuned).id == 1 and "tries" in budget.records()[0]["spend"][0]
    with pytest.raises(pld.DomainError, match="group is 1, but must be 2, as in the budget"):
        budget.spend(pld.gaussian(sigma=50))
    with pytest.raises(pld.DomainError, match="adjacency is zero-out, but must be add-remove"):
        budget.spend(pld.gaussian(sigma=50, adjacency="zero-out"))


@pytest.mark.parametrize("options, says", [
    ({}, "number of targets is 0"),
    ({"epsilon": 1}, "delta"),
    ({"epsilon": -1, "delta": 1e-6}, "epsilon is -1"),
    ({"epsilon": float("nan"), "delta": 1e-6}, "epsilon is nan"),
    ({"epsilon": 1, "delta": 1e-6, "filter": "best"}, "'best'"),
    ({"epsilon": 1, "delta": 1e-6, "adjacency": "all"}, "'all'"),
    ({"rho": 1, "group": 0}, "group"),
    ({"rho": 1, "plan": pld.gaussian(sigma=9), "expected": pld.gaussian(sigma=9)}, "one of them"),
    ({"rho": 1, "plan": pld.gaussian(sigma=9), "order": 3.0}, "a plan is composed"),
    ({"rho": 1, "patience": 0}, "patience is 0"),
    ({"rho": 1, "patience": "long"}, "patience is 'long', but must be a number"),
    ({"rho": "1"}, "rho is '1', but must be a number"),
    ({"rho": 1, "group": 1.5}, "group is 1.5, but must be a whole number"),
    ({"targets": [(1, 1e-5)]}, r"targets is \[\(1, 1e-05\)\], but must be a list of goals"),
    ({"targets": [{5: 1}]}, "goal is 5, but must be a string"),
    ({"targets": [{"mu": True}]}, "mu is True, but must be a number"),
    ({"epsilon": True, "delta": 1e-6}, "epsilon is True, but must be a number"),
    ({"rho": 1, "group": True}, "group is True, but must be a whole number"),
    ({"rho": 1, "patience": True}, "patience is True, but must be a number"),
    ({"rho": 1, "filter": "\ud800"}, r"filter is '\\ud800', but must be without"),
    ({"rho": 1, "plan": "gaussian:sigma=9"}, "plan is 'gaussian:sigma=9', but must be a Composition"),
    ({"rho": 1, "expected": 5}, "expected is 5, but must be a Composition"),
])
def test_wrong_budgets_are_refused(server, options, says):
    with pytest.raises(pld.DomainError, match=says):
        PostgresBudget.create(server.where, "wrong", **options)
    with pytest.raises(pld.DomainError, match="does not exist"):
        budget_of(server, "wrong").status()


def test_wrong_calls_are_refused(server):
    budget = PostgresBudget.create(server.where, "calls", epsilon=1, delta=1e-6)
    with pytest.raises(pld.DomainError, match="budget 'calls' exists already"):
        PostgresBudget.create(server.where, "calls", rho=1)
    with pytest.raises(pld.DomainError, match="budget 'cells' does not exist in this database"):
        budget_of(server, "cells").spend(spend(20))
    with pytest.raises(pld.DomainError, match="patience is 'long', but must be a number"):
        PostgresBudget(server.where, "calls", patience="long")
    with pytest.raises(pld.DomainError, match="id is '7', but must be a whole number"):
        budget.undo("7")
    with pytest.raises(pld.DomainError, match="id is 7"):
        budget.undo(7)
    for wrong in (True, np.True_):
        with pytest.raises(pld.DomainError, match="id is .*True.*, but must be a whole number"):
            budget.undo(wrong)
    for wrong in (5, "gaussian:sigma=20", None):
        with pytest.raises(pld.DomainError, match="spend: run is .*, but must be a Composition"):
            budget.spend(wrong)
    with pytest.raises(pld.DomainError, match="status: run is 5, but must be a Composition"):
        budget.status(5)
    for words in ({"token": "\ud800"}, {"name": "\udfff"}, {"note": "a\ud83d"}):
        with pytest.raises(pld.DomainError, match=r"is '.*\\ud.*', but must be without NUL and halves"):
            budget.spend(spend(20), **words)
    for wrong in ("a\0b", "\ud800"):
        with pytest.raises(pld.DomainError, match="name is '.*', but must be without NUL and halves"):
            budget_of(server, wrong)
        with pytest.raises(pld.DomainError, match="where is '.*', but must be without NUL and halves"):
            PostgresBudget(wrong, "calls")
    with pytest.raises(pld.DomainError, match="where is 5, but must be a connection string"):
        PostgresBudget(5, "calls")
    with pytest.raises(pld.DomainError, match="file is 5, but must be a file"):
        budget.export_lines(5)
    with pytest.raises(pld.DomainError, match="NUL"):
        budget.spend(spend(20), token="a\0b")
    with pytest.raises(pld.DomainError, match="token is no such text"):
        budget.spend(spend(20), token="a" * 1001)
    with pytest.raises(pld.DomainError, match="no release"):
        budget.spend(pld.Composition())
    with pytest.raises(pld.DomainError, match="name is of 0 bytes"):
        budget_of(server, "")
    budget.spend(spend(20), token="mine")
    with pytest.raises(pld.DomainError, match="record 1 has it, and spends something else"):
        budget.spend(spend(30), token="mine")
    with pytest.raises(pld.DomainError, match="line 1"):
        PostgresBudget.import_lines(server.where, "lines", ["no line\n"])
    for wrong in (5, [5], [b"{}"], None):
        with pytest.raises(pld.DomainError, match="import_lines: lines is .*, but must be strings"):
            PostgresBudget.import_lines(server.where, "lines", wrong)
    with pytest.raises(pld.DomainError, match="import_lines: lines is .*, but must be without NUL"):
        PostgresBudget.import_lines(server.where, "lines", "\ud800")
    assert budget.status().records == 1


def test_connections_of_a_pool(server):
    """The same one again and again, with settings of its owner's; never one that is within a transaction."""
    with contextlib.closing(psycopg.connect(server.where, row_factory=psycopg.rows.dict_row)) as connection:
        @contextlib.contextmanager
        def pool():
            yield connection

        budget = PostgresBudget.create(pool, "pooled", rho=1)
        assert [budget.spend(spend(100)).id for _ in range(8)] == list(range(1, 9))
        assert budget_of(server, "pooled").status().records == 8
        connection.execute("SELECT 1")
        with pytest.raises(pld.DomainError, match="within a transaction"):
            budget.spend(spend(100))


def test_rights_to_spend(server):
    """As docs/budgets.md has them."""
    PostgresBudget.create(server.where, "shared", rho=1, plan=5 * pld.gaussian(sigma=20))
    server.execute("CREATE ROLE spender LOGIN; GRANT SELECT, INSERT ON pld_record, pld_standing, pld_plan TO spender; "
                   "GRANT UPDATE ON pld_standing, pld_plan TO spender")
    spender = PostgresBudget(server.where.replace("user=pld", "user=spender"), "shared")
    id = spender.spend(spend(20)).id
    spender.undo(id)
    assert spender.status().records == 3
    with pytest.raises(BudgetFailure, match="permission denied for table pld_record; nothing is recorded"):
        server.execute("REVOKE INSERT ON pld_record FROM spender")
        spender.spend(spend(20))


@pytest.mark.parametrize("encoding, says", [("SQL_ASCII", None), ("LATIN1", "no equivalent in encoding")])
def test_databases_that_do_not_hold_unicode(server, encoding, says):
    server.execute(f"CREATE DATABASE {encoding} ENCODING '{encoding}' TEMPLATE template0")
    budget = PostgresBudget.create(server.where.replace("postgres", encoding.lower()), "survey", rho=1)
    assert budget.spend(spend(20), note="é").id == 1 and budget.records()[0]["note"] == "é"
    with pytest.raises(pld.DomainError, match=says) if says else contextlib.nullcontext():
        budget.spend(spend(20), note="→")
    assert budget.status().records == (1 if says else 2)


def test_patience(server):
    budget = PostgresBudget.create(server.where, "patient", rho=1, patience=0.2)
    with contextlib.closing(server.connect()) as other, other.transaction():
        other.execute("SELECT 1 FROM pld_standing WHERE budget = 'patient' FOR UPDATE")
        with pytest.raises(BudgetFailure, match="is in use: others kept it for 0.2 s; nothing is recorded") as failure:
            budget.spend(spend(20))
        assert failure.value.recorded is False and budget.status().records == 0
    assert budget.spend(spend(20)).id == 1


def test_a_client_that_stops_loses_its_turn(server):
    budget = PostgresBudget.create(server.where, "stopped", rho=1, patience=0.3)

    def stop(rows):
        time.sleep(0.6)
        budget_of(server, "stopped", patience=5).spend(spend(20))
        rows.lock()

    with pytest.raises(BudgetFailure, match="idle-in-transaction timeout; nothing is recorded"):
        budget._changed(stop)
    assert budget.status().records == 1


def test_a_commit_waits_for_its_replica(server):
    """Longer than any limit of time, which would have it return without one."""
    budget = PostgresBudget.create(server.where, "replicated", rho=1, patience=0.1)
    spent = threading.Thread(target=lambda: budget.spend(spend(20)))
    with contextlib.closing(server.connect()) as other:
        try:
            other.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
            other.execute("SELECT pg_reload_conf()")
            while other.execute("SHOW synchronous_standby_names").fetchone()[0] != "nobody":
                time.sleep(0.01)
            spent.start()
            spent.join(0.6)
            assert spent.is_alive()
        finally:
            other.execute("ALTER SYSTEM RESET synchronous_standby_names")
            other.execute("SELECT pg_reload_conf()")
    spent.join(10)
    assert not spent.is_alive() and budget.status().records == 1


# Both stores

def sequence(seed, length, kinds):
    """Spends, and undos of earlier ones; some with tokens, some of which come again."""
    choose = random.Random(seed)
    for step in range(length):
        if choose.random() < 0.15:
            yield "undo", choose.randint(1, step + 1), None
            continue
        words = [kind.format(choose.choice([20, 30, 45, 80])) for kind in choose.sample(kinds, min(len(kinds), choose.choice([1, 1, 2])))]
        yield "spend", words, f"t{choose.randint(0, 2 * length)}" if choose.random() < 0.4 else ""


def by_command(file, action, asked, token):
    words = [str(asked)] if action == "undo" else [*asked, *(["--token", token] if token else [])]
    done = command(action, file, *words, "--json")
    return json.loads(done.stdout) if done.returncode in (0, 4) else done.stderr


def by_package(budget, action, asked, token):
    try:
        if action == "undo":
            return {"id": budget.undo(asked), "undo": asked}
        return budget.spend(pld.Composition(*asked), token=token).fields
    except OverBudget as refused:
        return refused.fields
    except pld.DomainError as error:
        return f"pld: {error}\n"


@needs_command
@pytest.mark.parametrize("kind, init", [
    ("zcdp", ["--epsilon", ".6", "--delta", "1e-6"]),
    ("gdp", ["--mu", ".15"]),
    ("renyi", ["--epsilon", ".8", "--delta", "1e-6", "--filter", "renyi", "--order", "20"]),
    ("planned", ["--epsilon", "2", "--delta", "1e-6", "--kind", "planned", *(f"gaussian:sigma={s},count=6" for s in (20, 30, 45, 80)),
                 *(f"laplace:scale={s},count=4" for s in (20, 30, 45, 80))]),
])
def test_both_stores_decide_the_same(server, tmp_path, monkeypatch, kind, init):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "951782400")  # one clock for both
    file, name = str(tmp_path / "budget"), f"same {kind}"
    if os.path.isdir("/dev/shm"):
        file = tempfile.mktemp(dir="/dev/shm")
    try:
        assert command("init", file, *init).returncode == 0
        budget = PostgresBudget.import_lines(server.where, name, command("export", file).stdout.splitlines(keepends=True))
        refused = accepted = 0
        for step in sequence(kind, 50, ["gaussian:sigma={}", "laplace:scale={}"] if kind != "gdp" else ["gaussian:sigma={}"]):
            one, other = by_command(file, *step), by_package(budget, *step)
            assert one == other, step
            refused += isinstance(one, dict) and one.get("accepted") is False
            accepted += isinstance(one, dict) and one.get("accepted") is True
        assert refused > 2 and accepted > 8
        assert command("export", file).stdout == exported(budget)
        assert json.loads(command("status", file, "--json").stdout) == budget.status().fields
        assert json.loads(command("list", file, "--json").stdout)["records"] == budget.records()
        # And back: the same ledger in a file again.
        (tmp_path / "lines").write_text(exported(budget))
        assert command("import", str(tmp_path / "copy"), str(tmp_path / "lines")).returncode == 0
        assert json.loads(command("status", str(tmp_path / "copy"), "--json").stdout) == budget.status().fields
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.remove(file)


# Damage

def fresh(server, where, name, planned=False):
    """A budget of this name with four records: of an adaptive one three spends, of which one is undone."""
    for table in ("record", "standing", "plan"):
        server.execute(f"DELETE FROM pld_{table} WHERE budget = %s", name)
    budget = PostgresBudget.create(where, name, epsilon=1, delta=1e-6,
                                   plan=3 * pld.gaussian(sigma=20) if planned else None)
    for i in range(2 if planned else 3):
        budget.spend(spend(20), token=f"t{i}")
    if not planned:
        budget.undo(3)
    return budget


#: Another total with a checksum that fits: what it says must be a total too.
SEALED = ("UPDATE pld_standing SET total = {0}, seal = encode(sha256(convert_to(body || E'\\n', 'UTF8') || {0}), 'hex') "
          "WHERE budget = %s")
#: Each is of the budget %s; the constraints would keep some from happening.
DAMAGES = {
    "dropped": "DELETE FROM pld_record WHERE id = 2 AND budget = %s",
    "last dropped": "DELETE FROM pld_record WHERE id = 4 AND budget = %s",
    "first dropped": "DELETE FROM pld_record WHERE id = 0 AND budget = %s",
    "doubled": "INSERT INTO pld_record SELECT * FROM pld_record WHERE id = 2 AND budget = %s",
    "doubled at the end": "INSERT INTO pld_record SELECT budget, 5, body, chain FROM pld_record WHERE id = 4 AND budget = %s",
    "swapped": "UPDATE pld_record SET id = 5 - id WHERE id IN (2, 3) AND budget = %s",
    "of another": "UPDATE pld_record mine SET (body, chain) = (SELECT body, chain FROM pld_record WHERE id = mine.id AND "
                  "budget = 'other') WHERE id = 2 AND budget = %s",
    "undo hidden": "UPDATE pld_record SET undone = NULL WHERE undone > 0 AND budget = %s",
    "undo moved": "UPDATE pld_record SET undone = 1 WHERE undone > 0 AND budget = %s",
    "token moved": "UPDATE pld_record SET token = 'other' WHERE token = 't1' AND budget = %s",
    "sums dropped": "DELETE FROM pld_standing WHERE budget = %s",
    "sums of another": "UPDATE pld_standing SET (body, total, seal) = (SELECT body, total, seal FROM pld_standing WHERE "
                       "budget = 'other') WHERE budget = %s",
    "total emptied": "UPDATE pld_standing SET total = '' WHERE budget = %s",
    "total changed": "UPDATE pld_standing SET total = set_byte(total, 9, get_byte(total, 9) # 1) WHERE budget = %s",
    "total cut and sealed": SEALED.format("substr(total, 1, length(total) - 7)"),
    "total replaced and sealed": SEALED.format(r"'\xf6'::bytea"),
    "plan changed": "UPDATE pld_plan SET made = 0 WHERE budget = %s",
    "plan dropped": "DELETE FROM pld_plan WHERE made > 0 AND budget = %s",
    "plan added": "INSERT INTO pld_plan SELECT budget, 'other', mechanism || '0', planned, made, seal FROM pld_plan "
                  "WHERE made > 0 AND budget = %s",
}
#: A spend goes by the sums, the links and the rows that it needs; the whole is compared where the whole is read.
SEEN_BY_READERS = ("undo hidden", "undo moved", "token moved", "plan dropped", "plan added")


@pytest.fixture
def no_constraints(server):
    server.execute("ALTER TABLE pld_record DROP CONSTRAINT pld_record_pkey, DROP CONSTRAINT pld_record_budget_token_key, "
                   "DROP CONSTRAINT pld_record_budget_undone_key")
    yield
    server.execute("DELETE FROM pld_record WHERE budget = 'damaged'")
    server.execute("ALTER TABLE pld_record ADD PRIMARY KEY (budget, id), ADD UNIQUE (budget, token), "
                   "ADD UNIQUE (budget, undone)")


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_refused(server, no_constraints, damage):
    with server.pooled() as where:
        other, budget = (fresh(server, where, name, planned="plan" in damage) for name in ("other", "damaged"))
        assert server.execute(DAMAGES[damage], "damaged") > 0
        asked = [budget.status] + ([] if "plan" in damage else [budget.records, lambda: exported(budget)])
        for ask in asked + ([] if damage in SEEN_BY_READERS else [lambda: budget.spend(spend(20))]):
            with pytest.raises(pld.DomainError, match="'damaged' is damaged: .*; nothing of it is used"):
                ask()
        assert other.status().spends == 2


def test_any_character_changed_is_refused(server):
    choose = random.Random(25)
    with contextlib.closing(server.connect()) as connection, server.pooled() as where:
        budget = PostgresBudget.create(where, "flipped", rho=1)
        for _ in range(4):
            budget.spend(spend(20))
        for table, column in 10 * [("record", "body"), ("record", "chain"), ("standing", "body"), ("standing", "seal")]:
            of_it = "WHERE budget = 'flipped'" + (" AND id = 2" if table == "record" else "")
            text = connection.execute(f"SELECT {column} FROM pld_{table} {of_it}").fetchone()[0]
            at = choose.randrange(len(text))
            other = choose.choice([c for c in "0123456789abcdef" if c != text[at]])
            change = f"UPDATE pld_{table} SET {column} = %s {of_it}"
            connection.execute(change, [text[:at] + other + text[at + 1:]])
            for ask in (budget.status, lambda: budget.spend(spend(20))):
                with pytest.raises(pld.DomainError, match="'flipped' is damaged"):
                    ask()
            connection.execute(change, [text])
        assert budget.status().records == 4


# Many clients

def in_processes(count, work):
    """work(number) in as many processes at once: what each returned."""
    with multiprocessing.get_context("fork").Pool(count) as pool:
        return pool.map(work, range(count), chunksize=1)


class Until:
    """Spends until it is refused: the ids."""

    def __init__(self, where):
        self.where = where

    def __call__(self, number):
        ids = []
        with contextlib.suppress(OverBudget):
            while True:
                ids.append(PostgresBudget(self.where, "fleet").spend(spend(20), note=f"client {number}").id)
        return ids


def test_sixteen_clients_spend_what_fits(server):
    budget = PostgresBudget.create(server.where, "fleet", rho=0.1)
    fits = budget.status(spend(20)).room
    ids = in_processes(16, Until(server.where))
    assert fits == 80 and sorted(id for some in ids for id in some) == list(range(1, 81))
    assert sum(1 for some in ids if some) > 8
    found = budget.status(spend(20))
    assert (found.spends, found.room, found.fields["counted"]["exact"]) == (80, 0, "1/10")


class Stubborn:
    """Asks again with its token until it has an answer: [(token, id)], and what it was told meanwhile that was not so."""

    def __init__(self, where, name, times):
        self.where, self.name, self.times = where, name, times

    def __call__(self, number):
        spent, lies, failures, patience_ends = [], [], 0, time.monotonic() + 60
        for i in range(self.times):
            token, told = f"{number}/{i}", set()
            while True:
                try:
                    done = PostgresBudget(self.where, self.name).spend(spend(100), token=token)
                    break
                except BudgetFailure as failure:
                    assert time.monotonic() < patience_ends, failure
                    failures += 1
                    told.add(failure.recorded)
                    time.sleep(0.01)
            if None not in told and done.repeated is not (True in told):
                lies.append(f"{token}: told {told}, but repeated is {done.repeated}")
            spent.append((token, done.id))
        return spent, lies, failures


def test_killed_connections(server):
    """Of 16 clients, at random; and the server itself, without a shutdown, in the middle."""
    budget = PostgresBudget.create(server.where, "killed", rho=1)
    ended = threading.Event()
    kills = 0

    def kill():
        nonlocal kills
        choose = random.Random(3)
        for turn in range(400):
            if ended.wait(choose.expovariate(200)):
                return
            if turn == 20:
                server.stop()
                server.start()
            with contextlib.suppress(psycopg.OperationalError), contextlib.closing(server.connect()) as connection:
                kills += connection.execute(
                    "SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity WHERE pid <> "
                    "pg_backend_pid() AND backend_type = 'client backend' ORDER BY random() LIMIT 2) AS few").fetchone()[0]

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        answers = in_processes(16, Stubborn(server.where, "killed", 10))
    finally:
        ended.set()
        killer.join()
    assert [lie for _, lies, _ in answers for lie in lies] == []
    assert kills > 20 and sum(failures for _, _, failures in answers) > 20
    recorded = {record["token"]: record["id"] for record in budget.records()}
    assert recorded == dict(pair for spent, _, _ in answers for pair in spent) and len(recorded) == 160
    assert budget.status().records == len(recorded)


def test_nothing_is_lost_after_a_return(server):
    """The server is stopped at once, without a shutdown; it would not have written yet what it may delay."""
    budget = PostgresBudget.create(server.where, "stopping", rho=1)
    for i in range(3):
        assert budget.spend(spend(100)).id == i + 1
        server.stop()
        with pytest.raises(BudgetFailure, match="nothing is recorded"):
            budget.spend(spend(100))
        server.start()
        assert budget.status().records == i + 1


class Proxy(threading.Thread):
    """Between clients and the server. Cuts the first connection at its n-th message, or at its COMMIT: before the server
    has it, or before the client has the answer. Later ones are passed on, or none is let in."""

    def __init__(self, server, at, answered, later=True):
        super().__init__(daemon=True)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="pld"))
        self.where = f"host={self.folder} user=pld dbname=postgres"
        self.server, self.at, self.answered, self.later = server, at, answered, later
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(str(self.folder / ".s.PGSQL.5432"))
        self.listening.listen()
        self.has_cut = False
        self.start()

    def run(self):
        with contextlib.suppress(OSError):
            while True:
                client = self.listening.accept()[0]
                if self.has_cut and not self.later:
                    client.close()
                    continue
                threading.Thread(target=self.serve, args=(client, not self.has_cut), daemon=True).start()

    def serve(self, client, first):
        upstream = socket.socket(socket.AF_UNIX)
        upstream.connect(f"{self.server.folder}/.s.PGSQL.5432")
        messages = 0
        with client, upstream:
            while request := client.recv(1 << 20):
                messages += 1
                cut = first and (b"COMMIT\0" in request if self.at == "COMMIT" else messages == self.at)
                self.has_cut = self.has_cut or cut
                if cut and not self.answered:
                    return
                upstream.sendall(request)
                answer = more = upstream.recv(1 << 20)
                while more and not self.is_whole(answer):
                    more = upstream.recv(1 << 20)
                    answer += more
                if cut or not answer:
                    return
                client.sendall(answer)

    @staticmethod
    def is_whole(answer):
        """Ready for the next query; or one byte, of what is asked before the session."""
        return len(answer) == 1 or answer[-6:-1] == b"Z\0\0\0\5"

    def close(self):
        self.listening.close()
        shutil.rmtree(self.folder)


@pytest.mark.parametrize("answered", [False, True], ids=["before", "after"])
def test_cut_at_each_message(server, answered):
    budget = PostgresBudget.create(server.where, f"cut {answered}", rho=1)
    recorded, kinds = 0, set()
    for at in range(1, 100):
        with contextlib.closing(Proxy(server, at, answered)) as proxy:
            through = PostgresBudget(proxy.where, f"cut {answered}")
            try:
                assert through.spend(spend(100), token=f"t{at}").repeated is False
                recorded += 1
                if not proxy.has_cut:
                    break
            except BudgetFailure as failure:
                kinds.add(failure.recorded)
                recorded += failure.recorded
                assert budget.status().records == recorded, failure
                assert through.spend(spend(100), token=f"t{at}").repeated is failure.recorded
                recorded += not failure.recorded
    assert at > 10 and budget.status().records == recorded == at
    assert kinds == ({True, False} if answered else {False})


@pytest.mark.parametrize("answered, says", [(False, "nothing is recorded"), (True, "record 1 is in the database all the same")])
def test_cut_at_the_commit(server, answered, says):
    budget = PostgresBudget.create(server.where, f"commit {answered}", rho=1)
    with contextlib.closing(Proxy(server, "COMMIT", answered)) as proxy:
        with pytest.raises(BudgetFailure, match=says) as failure:
            PostgresBudget(proxy.where, f"commit {answered}").spend(spend(100))
    assert failure.value.recorded is answered and budget.status().records == answered


@pytest.mark.parametrize("answered, says", [(False, "nothing is recorded"), (True, "the budget itself is in the database")])
def test_a_start_is_cut_at_the_commit(server, answered, says):
    with contextlib.closing(Proxy(server, "COMMIT", answered)) as proxy:
        with pytest.raises(BudgetFailure, match=says) as failure:
            PostgresBudget.create(proxy.where, f"start {answered}", rho=1)
    assert failure.value.recorded is answered
    with pytest.raises(pld.DomainError, match="exists already") if answered else contextlib.nullcontext():
        PostgresBudget.create(server.where, f"start {answered}", rho=1)


@pytest.mark.parametrize("answered", [False, True], ids=["before", "after"])
def test_nobody_can_be_asked(server, answered):
    budget = PostgresBudget.create(server.where, f"unknown {answered}", rho=1)
    with contextlib.closing(Proxy(server, "COMMIT", answered, later=False)) as proxy:
        with pytest.raises(BudgetFailure, match="whether record 1 .* spend again with the same token") as failure:
            PostgresBudget(proxy.where, f"unknown {answered}").spend(spend(100), token="mine")
    assert failure.value.recorded is None and pickle.loads(pickle.dumps(failure.value)).recorded is None
    assert budget.spend(spend(100), token="mine").repeated is answered and budget.status().records == 1
