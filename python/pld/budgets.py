"""Budgets that a fleet of processes spends, kept in PostgreSQL: the budgets of `pld ledger`, by the same rules.

    from pld.budgets import PostgresBudget
    survey = PostgresBudget.create("host=db dbname=privacy", "survey", epsilon=1, delta=1e-6)
    survey.spend(pld.gaussian(sigma=20), token="job-17")      # Spending(record 1, rho <= 0.00125 of 0.024356)

psycopg is asked for here only: `pip install 'pld[postgresql]'`. What a budget is, and what is proved of it, is in
docs/budgets.md of the project.
"""
from __future__ import annotations

import hashlib
from contextlib import closing, contextmanager

import psycopg
from psycopg.pq import TransactionStatus

from . import _core
from ._core import DomainError
from .answers import Calibration, dumped, loaded, rounded
from .arguments import checked, refused
from .composition import Composition
from .training import Training

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, ContextManager, Iterable, Iterator, Protocol, TypeVar, Union

    from .arguments import Goals, Real, Whole

    Connection = psycopg.Connection[Any]
    #: A connection string, or what gives a connection for the length of a `with`, as a pool's `connection`.
    Where = Union[str, Callable[[], ContextManager[Connection]]]
    Record = tuple[int, str, str, Union[str, None], Union[int, None]]
    Result = TypeVar("Result")

    class File(Protocol):
        def write(self, text: str, /) -> Any: ...


class OverBudget(Exception):
    """The budget refuses a spend: nothing is recorded, and nothing may be released. `fields` say by how much."""

    def __init__(self, message: str, fields: dict[str, Any]) -> None:
        super().__init__(message, fields)
        self.fields = fields

    def __str__(self) -> str:
        return str(self.args[0])


class BudgetFailure(Exception):
    """The database failed; the message says whether this call recorded something, and so does `recorded`.

    Where that is None nobody could be asked: spend again with the same token, which records once.
    """

    def __init__(self, message: str, recorded: bool | None) -> None:
        super().__init__(message, recorded)
        self.recorded = recorded

    def __str__(self) -> str:
        return str(self.args[0])


class Spending:
    """A spend that is recorded: what was released may be, `id` is for undo, `repeated` that the token had spent it."""

    __slots__ = ("id", "repeated", "fields")

    def __init__(self, fields: dict[str, Any]) -> None:
        self.id: int = fields["id"]
        self.repeated: bool = fields["repeated"]
        self.fields = fields

    def to_json(self) -> str:
        """The fields that `pld ledger spend --json` prints."""
        return dumped(self.fields)

    def __repr__(self) -> str:
        counted = self.fields.get("counted")
        sums = f", {counted['of']} <= {rounded(counted['upper'], True)} of {counted['cap']:.6g}" if counted else ""
        return f"Spending(record {self.id}{', repeated' if self.repeated else ''}{sums})"


class Status:
    """Where a budget stands. `head` is the SHA-256 of all records; `room` how many more fit, where that was asked."""

    __slots__ = ("records", "spends", "head", "room", "fields")

    def __init__(self, fields: dict[str, Any]) -> None:
        self.records: int = fields["records"]
        self.spends: int = fields["spends"]
        self.head: str = fields["head"]
        self.room: int | None = fields["room"]["count"] if "room" in fields else None
        self.fields = fields

    def to_json(self) -> str:
        """The fields that `pld ledger status --json` prints."""
        return dumped(self.fields)

    def __repr__(self) -> str:
        counted = self.fields.get("counted")
        sums = f", {self.fields['filter']['of']} left {rounded(counted['left'], False)}" if counted else ""
        return f"Status({self.fields['kind']}, {self.spends} spends that stand{sums})"


class PostgresBudget:
    """A budget by its name in a PostgreSQL database. Keeps nothing open: safe to use from threads, after forks, anywhere.

    where is a connection string, or a function that gives a connection for the length of a `with`: a pool's
    `connection`. Each call is a transaction of its own; spends take turns, and one that waits longer than `patience`
    seconds for the others gives up. A client that holds its turn so long is ended by the server.

    When spend() or undo() return, their record is committed. When they raise, nothing is recorded, or the message of a
    BudgetFailure says what is. All calls raise DomainError for wrong arguments and for rows that are damaged.
    """

    __slots__ = ("_where", "_name", "_patience")

    @checked
    def __init__(self, where: Where, name: str, *, patience: Real = 30) -> None:
        if not 0 < len(name.encode()) <= 200:
            raise DomainError(f"budget: name is of {len(name.encode())} bytes, but must be of 1 to 200")
        if not 0.001 <= patience <= 1e6:
            raise DomainError(f"budget: patience is {patience:g}, but must be from 0.001 to 1e6 seconds")
        self._where, self._name, self._patience = where, name, patience

    # Starting

    @classmethod
    @checked
    def create(cls, where: Where, name: str, *, epsilon: Real | None = None, delta: Real | None = None,
               rho: Real | None = None, mu: Real | None = None, targets: Goals = (),
               plan: Composition | None = None, expected: Composition | None = None, filter: str = "",
               order: Real | None = None, reserve: Real | None = None, adjacency: str = "add-remove",
               group: Whole = 1, patience: Real = 30) -> PostgresBudget:
        """Starts a budget, as `pld ledger init` does; the first one in a database makes the tables.

        `plan` is all that will ever be released, and makes it a planned budget. Without one it is adaptive, kept by
        `filter` ("basic", "zcdp", "renyi" with its `order`, "gdp"), which is chosen for what is `expected` where it is
        left open. `targets` are further ones, as {"epsilon": 2, "delta": 1e-9}. Raises DomainError where the name is taken.
        """
        if plan is not None and expected is not None:
            raise DomainError("budget: a plan is given, and what is expected: one of them must be left out")
        first = {"epsilon": epsilon, "delta": delta, "rho": rho, "mu": mu}
        goals = [{goal: value for goal, value in first.items() if value is not None}, *targets]
        named = plan if plan is not None else expected
        budget = cls(where, name, patience=patience)
        budget._started(lambda rows: _core.budget_start(
            rows, "adaptive" if plan is None else "planned", goals, adjacency, group, filter, order, reserve,
            None if named is None else named._accounted))
        return budget

    @classmethod
    @checked
    def import_lines(cls, where: Where, name: str, lines: Iterable[str], *, patience: Real = 30) -> PostgresBudget:
        """Starts a budget from the lines of an export, a file's or `pld ledger export`'s, all of which are verified."""
        text = "".join(lines)
        budget = cls(where, name, patience=patience)
        budget._started(lambda rows: _core.budget_import(rows, text))
        return budget

    def _started(self, write: Callable[[Rows], None]) -> None:
        def start(rows: Rows) -> tuple[None, int, str]:
            if rows.exists():
                raise DomainError(f"{rows.name()} exists already")
            write(rows)
            first = rows.record(0)
            assert first is not None
            return None, 0, first[2]

        self._changed(start, starts=True)

    # Spending

    @checked
    def spend(self, run: Composition, *, token: str = "", name: str = "", note: str = "") -> Spending:
        """Records the releases before they are made; only what is recorded may be released.

        `token` is the caller's name of this spend: asked again with it, the answer is the same and nothing is recorded.
        Raises OverBudget where the budget refuses.
        """
        def spent(rows: Rows) -> tuple[str, int, str]:
            return _core.budget_spend(rows, run._accounted, token, name, note)

        fields = loaded(self._changed(spent))
        if not fields["accepted"]:
            raise OverBudget(f"budget '{self._name}' refuses it: {fields['refusal']}", fields)
        return Spending(fields)

    @checked
    def undo(self, id: Whole) -> int:
        """Takes a spend back that was in the end not released. Returns the record of the undo; asked again, the earlier one."""
        def undone(rows: Rows) -> tuple[int, int, str]:
            record, link = _core.budget_undo(rows, id)
            return record, record, link

        return self._changed(undone)

    # Reading

    @checked
    def status(self, run: Composition | None = None) -> Status:
        """Reads and verifies all of it, and composes what stands. Of `run`, one mechanism, says how many more releases fit."""
        if run is not None and not isinstance(run, Training) and any(count != 1 for _, _, count, _ in run.releases):
            raise refused("status", "run", run, "without a count: it is releases that room is counted in")
        found = self._read(lambda rows: _core.budget_status(rows, None if run is None else run._accounted))
        return Status(loaded(found.fields()))

    @checked
    def calibrate(self, run: Composition) -> Calibration:
        """The number of `run` that is pld.unknown, as far as the filter of an adaptive budget accepts it beside what stands.

        spend() of its `composition` is accepted, unless others spend in between; of the `next` number it is refused. What
        is `attained` is empty: the filter counts, and composes nothing.
        """
        return run._fitted(self._read(_core.budget_standing))

    def records(self) -> list[dict[str, Any]]:
        """Every record, as `pld ledger list --json` has them."""
        return [loaded(record) for record in self._read(_core.budget_records)]

    @checked
    def export_lines(self, file: File) -> None:
        """Writes the lines that `pld ledger import` and import_lines() read."""
        self._read(lambda rows: _core.budget_export(rows, file.write))

    def __repr__(self) -> str:
        return f"PostgresBudget({self._name!r})"

    # Transactions

    def _connected(self) -> ContextManager[Connection]:
        if callable(self._where):
            return self._where()
        return closing(psycopg.connect(self._where, autocommit=True))

    @contextmanager
    def _transaction(self, settings: str) -> Iterator[Rows]:
        """With these settings for its length, whatever the server, the role or a pool have set."""
        with self._connected() as connection:
            if connection.info.transaction_status != TransactionStatus.IDLE:
                raise DomainError("budget: the connection is within a transaction, but must be idle: a spend is a "
                                  "transaction of its own")
            with connection.transaction():
                connection.execute(f"SET TRANSACTION {settings}; SET LOCAL client_encoding = 'UTF8'")
                try:
                    yield Rows(connection, self._name)
                except psycopg.errors.UndefinedTable:
                    raise no_budget(self._name) from None

    @contextmanager
    def _turn(self, starts: bool = False) -> Iterator[Rows]:
        """A transaction that changes the budget, alone. PostgreSQL limits no commit's time: it may wait for replicas."""
        limit = max(1, int(self._patience * 1000))
        with self._transaction(
                f"ISOLATION LEVEL READ COMMITTED, READ WRITE; SET LOCAL lock_timeout = {limit}; "
                f"SET LOCAL statement_timeout = {2 * limit}; SET LOCAL idle_in_transaction_session_timeout = {limit}; "
                "SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off'"
        ) as rows:
            if starts:
                rows.make_tables()
            else:
                rows.lock()
            yield rows

    def _changed(self, change: Callable[[Rows], tuple[Result, int, str]], starts: bool = False) -> Result:
        """change(rows) and its commit. It returns its result, and the record to be committed: its id, and its link or
        nothing.

        The row of the sums is locked first, so that changes of a budget follow one another. READ COMMITTED is enough:
        each later statement sees all that was committed before the lock was had, and nobody else writes until the end.
        """
        committing = None
        try:
            with self._turn(starts) as rows:
                committing = change(rows)
                if not committing[2]:
                    raise psycopg.Rollback  # what was written before it was refused, too
        except psycopg.Error as error:
            if committing is not None and not committing[2]:
                return committing[0]  # nothing was to be committed
            raise self._failure(error, committing) from error
        return committing[0]

    def _read(self, read: Callable[[Rows], Result]) -> Result:
        try:
            with self._transaction("ISOLATION LEVEL REPEATABLE READ, READ ONLY") as rows:
                return read(rows)
        except psycopg.Error as error:
            raise BudgetFailure(_words(error), False) from error

    def _failure(self, error: psycopg.Error, committing: tuple[Any, int, str] | None) -> Exception:
        if committing is None:
            if isinstance(error, psycopg.DataError):
                return DomainError(f"budget: {_words(error)}")
            kept = f"budget '{self._name}' is in use: others kept it for {self._patience:g} s"
            words = kept if isinstance(error, psycopg.errors.LockNotAvailable) else _words(error)
            return BudgetFailure(f"{words}; nothing is recorded", False)
        _, id, link = committing
        recorded = self._is_recorded(id, link)
        record, retry = (f"record {id}", ", or spend again with the same token") if id else ("the budget itself", "")
        said = {True: f"{record} is in the database all the same", False: "nothing is recorded",
                None: f"whether {record} is in the database could not be read: see records(){retry}"}
        return BudgetFailure(f"{_words(error)}; {said[recorded]}", recorded)

    def _is_recorded(self, id: int, link: str) -> bool | None:
        """Of a record whose commit failed. A commit that is still under way keeps the lock until its end."""
        try:
            with self._turn(starts=id == 0) as rows:
                found = rows.record(id)
                return found is not None and found[2] == link
        except (psycopg.Error, DomainError):
            return None


class Rows:
    """A budget's rows within a transaction, for the core, which verifies what it reads and decides what is written."""

    TABLES = """
        CREATE TABLE pld_record(budget text COLLATE "C" NOT NULL, id bigint NOT NULL, body text NOT NULL,
            chain text NOT NULL, token text COLLATE "C", undone bigint,
            PRIMARY KEY (budget, id), UNIQUE (budget, token), UNIQUE (budget, undone));
        CREATE TABLE pld_standing(budget text COLLATE "C" PRIMARY KEY, body text NOT NULL, total bytea NOT NULL,
            seal text NOT NULL);
        CREATE TABLE pld_plan(budget text COLLATE "C" NOT NULL, key text NOT NULL, mechanism text COLLATE "C" NOT NULL,
            planned bigint NOT NULL, made bigint NOT NULL, seal text NOT NULL, PRIMARY KEY (budget, key))"""
    RECORD = "SELECT id, body, chain, token, undone FROM pld_record WHERE budget = %s"
    PLAN = "SELECT mechanism, planned, made, seal FROM pld_plan WHERE budget = %s"

    def __init__(self, connection: Connection, budget: str) -> None:
        self._connection, self._budget = connection, budget

    def _execute(self, statement: Any, *values: Any) -> psycopg.Cursor[Any]:
        cursor = self._connection.cursor(row_factory=psycopg.rows.tuple_row)
        return cursor.execute(statement, (self._budget, *values))

    def make_tables(self) -> None:
        """Where there are none. Budgets are started one at a time: the lock's number is of pld's own choice."""
        self._connection.execute("SELECT pg_advisory_xact_lock(8110486518021874290)")
        if self._connection.execute("SELECT 1 WHERE to_regclass('pld_standing') IS NULL").fetchone():
            self._connection.execute(self.TABLES)

    def exists(self) -> bool:
        return self.record(0) is not None or self.standing() is not None

    def lock(self) -> None:
        self._execute("SELECT 1 FROM pld_standing WHERE budget = %s FOR UPDATE")

    def name(self) -> str:
        return f"budget '{self._budget}'"

    def require_budget(self) -> None:
        if not self.exists():
            raise no_budget(self._budget)

    def record(self, id: int) -> Record | None:
        return self._execute(self.RECORD + " AND id = %s", id).fetchone()

    def last_record(self) -> Record | None:
        return self._execute(self.RECORD + " ORDER BY id DESC LIMIT 1").fetchone()

    def id_with_token(self, token: str) -> int | None:
        found = self._execute("SELECT id FROM pld_record WHERE budget = %s AND token = %s", token).fetchone()
        return found and found[0]

    def undo_of(self, id: int) -> int | None:
        found = self._execute("SELECT id FROM pld_record WHERE budget = %s AND undone = %s", id).fetchone()
        return found and found[0]

    def records(self) -> Iterator[Record]:
        with self._connection.cursor("pld_records", row_factory=psycopg.rows.tuple_row) as cursor:
            cursor.itersize = 1000
            yield from cursor.execute(self.RECORD + " AND id > 0 ORDER BY id", (self._budget,))

    def insert(self, *row: Any) -> None:
        self._execute("INSERT INTO pld_record(budget, id, body, chain, token, undone) VALUES (%s, %s, %s, %s, %s, %s)",
                      *row)

    def standing(self) -> tuple[str, bytes, str] | None:
        return self._execute("SELECT body, total, seal FROM pld_standing WHERE budget = %s").fetchone()

    def write_standing(self, *row: Any) -> None:
        self._execute("INSERT INTO pld_standing(budget, body, total, seal) VALUES (%s, %s, %s, %s) ON CONFLICT (budget) "
                      "DO UPDATE SET body = excluded.body, total = excluded.total, seal = excluded.seal", *row)

    def plan_row(self, mechanism: str) -> tuple[str, int, int, str] | None:
        return self._execute(self.PLAN + " AND key = %s", _key(mechanism)).fetchone()

    def plan(self) -> list[tuple[str, int, int, str]]:
        return self._execute(self.PLAN + " ORDER BY mechanism").fetchall()

    def write_plan(self, mechanism: str, planned: int, made: int, seal: str) -> None:
        self._execute("INSERT INTO pld_plan(budget, key, mechanism, planned, made, seal) VALUES (%s, %s, %s, %s, %s, %s) "
                      "ON CONFLICT (budget, key) DO UPDATE SET planned = excluded.planned, made = excluded.made, "
                      "seal = excluded.seal", _key(mechanism), mechanism, planned, made, seal)


def no_budget(name: str) -> DomainError:
    return DomainError(f"budget '{name}' does not exist in this database: PostgresBudget.create() starts one")


def _key(mechanism: str) -> str:
    """Mechanisms may be longer than what an index of PostgreSQL takes."""
    return hashlib.sha256(mechanism.encode()).hexdigest()


def _words(error: psycopg.Error) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
