"""pld ledger killed at each system call, with each error of each, with 16 writers, and with files put in its place.

With PLD_SLOW set, every error, undo and init as well, and kills at random moments.
"""
import errno
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from command import CommandTest, pld

SLOW = "PLD_SLOW" in os.environ
ERRORS = (errno.EIO, errno.ENOSPC) + ((errno.EINTR, errno.EDQUOT, errno.EACCES, errno.EMFILE, errno.EPERM,
                                       errno.EROFS, errno.ENOLCK, errno.EBUSY, errno.EAGAIN) if SLOW else ())
FAULTS = ("kill", "killed", "short") + tuple(str(error) for error in ERRORS)
IN_MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None  # where syncs cost nothing


class Faults(CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=IN_MEMORY)
        self.addCleanup(folder.cleanup)
        self.folder = os.path.join(folder.name, "watched")
        os.mkdir(self.folder)
        self.file = os.path.join(self.folder, "budget")
        self.template = os.path.join(folder.name, "template")
        self.log = os.path.join(folder.name, "log")
        self.run_well("init", "--epsilon", "1", "--delta", "1e-6")
        for i in range(3):
            self.run_well("spend", "gaussian:sigma=500", "--token", f"old-{i}")
        shutil.copy(self.file, self.template)

    def run_well(self, command, *words):
        done = pld("ledger", command, self.file, *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def faulty(self, fault, at, command, *words):
        """The command with a fault at one of its calls on the folder's files."""
        environment = {**os.environ, "LD_PRELOAD": os.environ["PLD_FAULT_SHIM"], "PLD_FAULT_FOLDER": self.folder,
                       "PLD_FAULT_AT": str(at), "PLD_FAULT": fault}
        if fault == "log":
            environment["PLD_FAULT_LOG"] = self.log
        return subprocess.run([os.environ["PLD"], "ledger", command, self.file, *words], env=environment,
                              capture_output=True, text=True, timeout=120)

    def calls(self, command, *words):
        """The names of the command's calls."""
        if os.path.exists(self.log):
            os.unlink(self.log)
        done = self.faulty("log", 0, command, *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(self.log) as log:
            return log.read().split()

    def reset(self):
        for name in os.listdir(self.folder):
            os.unlink(os.path.join(self.folder, name))
        shutil.copy(self.template, self.file)

    def records(self):
        return json.loads(self.run_well("list", "--json"))["records"]

    def check_said(self, done, applied, where):
        """What the command said of a record must be so."""
        if done.returncode == 0:
            self.assertTrue(applied, where)
        elif done.returncode > 0:
            self.assertEqual(done.stderr.count("\n"), 1, (where, done.stderr))
            self.assertIn(done.returncode, (1, 2), (where, done.stderr))
            self.assertNotIn("internal", done.stderr, where)
            if applied:
                self.assertRegex(done.stderr, "record 4 is in the ledger|whether record 4 is in the ledger", where)
            else:
                self.assertNotIn("4 is in the ledger all the same", done.stderr, where)
        else:
            self.assertEqual(done.returncode, -signal.SIGKILL, where)

    def at_every_call(self, command, *words, faults=FAULTS):
        names = self.calls(command, *words)
        self.assertGreater(len(names), 20)
        self.assertIn("fcntl64", names)
        # The journal, its folder, the database, the folder again.
        self.assertGreaterEqual(sum(name in ("fsync", "fdatasync") for name in names), 4)
        survived = {"kills": 0, "errors": 0, "refused": 0}
        for fault in faults:
            for at in range(1, len(names) + 1):
                self.reset()
                done = self.faulty(fault, at, command, *words)
                survived["kills" if fault.startswith("kill") else "errors"] += 1
                survived["refused"] += done.returncode != 0
                yield done, (command, fault, at, names[at - 1])
        print(f"{command}: {len(names)} calls, {survived['kills']} kills, {survived['errors']} errors and short reads and "
              f"writes survived; {survived['refused']} did not end well, and said so or were killed", flush=True)

    def test_spend_at_every_call(self):
        words = ("gaussian:sigma=400", "--token", "new")
        for done, where in self.at_every_call("spend", *words):
            records = self.records()
            self.assertIn(len(records), (3, 4), where)
            self.check_said(done, len(records) == 4, where)
            # The caller asks again: it is spent once.
            self.assertIn("spent: record 4", self.run_well("spend", *words), where)
            after = self.records()
            self.assertEqual(len(after), 4, where)
            self.assertEqual([record.get("token") for record in after], ["old-0", "old-1", "old-2", "new"], where)
            self.assertEqual([name for name in os.listdir(self.folder) if name != "budget"], [], where)

    @unittest.skipUnless(SLOW, "slow")
    def test_undo_at_every_call(self):
        for done, where in self.at_every_call("undo", "2"):
            records = self.records()
            undone = len(records) == 4
            self.assertEqual([record.get("standing") for record in records[:3]], [True, not undone, True], where)
            self.check_said(done, undone, where)
            self.assertIn("undone: record 2, by record 4", self.run_well("undo", "2"), where)  # takes nothing else back
            self.assertEqual(json.loads(self.run_well("status", "--json"))["spends"], 2, where)

    @unittest.skipUnless(SLOW, "slow")
    def test_init_at_every_call(self):
        os.unlink(self.template)
        self.template = "/dev/null"
        words = ("--epsilon", "1", "--delta", "1e-6")
        os.unlink(self.file)
        names = self.calls("init", *words)
        for fault in FAULTS:
            for at in range(1, len(names) + 1):
                for name in os.listdir(self.folder):
                    os.unlink(os.path.join(self.folder, name))
                done = self.faulty(fault, at, "init", *words)
                where = ("init", fault, at, names[at - 1])
                if os.path.exists(self.file):
                    self.assertEqual(self.records(), [], where)
                else:
                    self.assertNotEqual(done.returncode, 0, where)
                    self.run_well("init", *words)

    def test_sixteen_writers(self):
        writers = [subprocess.Popen(["sh", "-c", 'for i in 1 2 3 4 5; do "$PLD" ledger spend "$0" gaussian:sigma=90 '
                                     '--token "$1-$i" >/dev/null || exit $?; done', self.file, str(i)]) for i in range(16)]
        codes = [writer.wait() for writer in writers]
        self.assertEqual(codes, [0] * 16)
        records = self.records()
        self.assertEqual(len(records), 3 + 80)
        self.assertEqual(len({record["token"] for record in records}), 83)
        counted = json.loads(self.run_well("status", "--json"))["counted"]["exact"]
        top, bottom = (int(part) for part in counted.split("/"))
        self.assertEqual(top * 2 * 90**2 * 500**2, bottom * (80 * 500**2 + 3 * 90**2))

    def kill_at_random(self, times):
        chance, kept = random.Random(7), {"kills": 0, "acknowledged": 0}
        for i in range(times):
            spend = subprocess.Popen([os.environ["PLD"], "ledger", "spend", self.file, "gaussian:sigma=3000", "--token",
                                      f"r{i}"], stdout=subprocess.PIPE, text=True)
            time.sleep(chance.uniform(0, 0.012))
            spend.kill()
            said = spend.communicate()[0]
            kept["kills"] += spend.returncode == -signal.SIGKILL
            tokens = [record.get("token") for record in self.records()]
            self.assertEqual(len(tokens), len(set(tokens)))
            if "spent" in said:
                kept["acknowledged"] += 1
                self.assertIn(f"r{i}", tokens)
        print(f"{kept['kills']} kills at random, {kept['acknowledged']} spends acknowledged, none lost")

    def test_killed_at_random(self):
        self.kill_at_random(700 if SLOW else 40)

    def test_what_takes_its_place(self):
        """An editor, a copy put back: what a spend says is of the file that is there."""
        older = self.template
        self.assertIn("record 4", self.run_well("spend", "gaussian:sigma=400"))
        shutil.copy(older, self.file + ".new")
        os.rename(self.file + ".new", self.file)  # an older copy is a ledger that says less
        self.assertEqual(len(self.records()), 3)
        self.assertIn("record 4", self.run_well("spend", "gaussian:sigma=400"))
        # Replaced while a spend waits for its turn: it tells, whichever file it had opened.
        import fcntl
        import struct
        with open(self.file, "r+b") as held:
            lock = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0x40000001, 1, 0)  # SQLite's reserved byte
            fcntl.fcntl(held, fcntl.F_SETLK, lock)
            spend = subprocess.Popen([os.environ["PLD"], "ledger", "spend", self.file, "gaussian:sigma=700"],
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(0.5)
            shutil.copy(older, self.file + ".new")
            os.rename(self.file + ".new", self.file)
        said, told = spend.communicate()
        self.assertEqual((spend.returncode, said), (1, ""), told)
        self.assertRegex(told, "replaced or removed by another program; nothing is recorded")
        self.assertEqual(len(self.records()), 3)

    def test_answers_that_cannot_be_written(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([os.environ["PLD"], "ledger", "spend", self.file, "gaussian:sigma=400"], stdout=full,
                                  stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "^pld: cannot write to standard output: .*; record 4 is in the ledger\n$")
        reader, writer = os.pipe()
        os.close(reader)  # nobody reads it
        with os.fdopen(writer, "w") as gone:
            done = subprocess.run([os.environ["PLD"], "ledger", "spend", self.file, "gaussian:sigma=400"], stdout=gone,
                                  stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "^pld: cannot write to standard output: .*; record 5 is in the ledger\n$")


if __name__ == "__main__":
    unittest.main()
