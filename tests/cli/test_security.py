"""What names, files and pictures can do to who runs pld: nothing that was not asked for."""
import json
import os
import re
import resource
import shutil
import subprocess
import tempfile
import time
import unittest

from command import CommandTest, pld

GAUSSIAN = "gaussian:sigma=1"
SECRET = "root:x:0:0:SECRET:/root:/bin/bash\n"


class InAFolder(CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_here(self, *words, stdin=None, limit=None, **environment):
        """Exit status, standard output and standard error, as bytes: a picture must be on neither."""
        done = subprocess.run([os.environ["PLD"], *words], cwd=self.folder, input=stdin, capture_output=True, timeout=120,
                              env={**os.environ, **environment},
                              preexec_fn=limit and (lambda: resource.setrlimit(*limit)))
        return done.returncode, done.stdout, done.stderr

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return name


class Pictures(InAFolder):
    def test_no_name_runs_a_command(self):
        table = "p,q\n.5,.25\n.5,.75\n"
        ledger = '{"mechanisms":[{"type":"gaussian","sigma":1}]}'
        touch = "touch PWNED"
        names = ["|" + touch + "; cat>/dev/null #.svg", "x\n!" + touch + "\n.svg", "x\nsystem('" + touch + "')\n.svg",
                 "`" + touch + "`.svg", "$(" + touch + ").svg", "x\"; system('" + touch + "') #.svg",
                 "x'; !" + touch + " #.svg", "@x.svg", "x\\\n!" + touch + ".svg", "EOD\n!" + touch + "\n.png"]
        for name in names:
            self.run_here("curve", "--range", "0:1:5", "--output", name, GAUSSIAN)
            if "/" not in name:
                self.assertTrue(os.path.isfile(self.path(name)), name)
            if "/" in name:
                continue
            as_table = self.write(name + ".csv", table)
            as_ledger = self.write(name + ".json", ledger)
            if "," not in name:
                status, out, err = self.run_here("curve", "--range", "0:1:5", "--output", "ok.svg", "mass-table:file=" + as_table)
                self.assertEqual((status, out, err), (0, b"", b""), name)
            status, out, err = self.run_here("curve", "--range", "0:1:5", "--output", "ok.svg", "--ledger", as_ledger)
            self.assertEqual((status, out, err), (0, b"", b""), name)
        self.assertFalse(os.path.exists(self.path("PWNED")), os.listdir(self.folder))
        self.assertEqual([n for n in os.listdir(self.folder) if n.startswith(".")], [])

    def test_a_name_is_shown_as_it_is(self):
        ledger = self.write("a`b\"c'd\\e$f@g{h}^i_j%k<l>&\n\x1b.json", '{"mechanisms":[{"type":"gaussian","sigma":1}]}')
        self.assertEqual(self.run_here("curve", "--range", "0:1:5", "--output", "p.svg", "--ledger", ledger)[0], 0)
        with open(self.path("p.svg")) as file:
            self.assertIn("a`b\"c'd\\e$f@g{h}^i_j%k&lt;l>&amp;\\x0a\\x1b.json", file.read())

    def test_no_start_up_file_and_no_output_of_gnuplots_own(self):
        self.write(".gnuplot", "system('touch PWNED')\n")
        self.assertEqual(self.run_here("curve", "--output", "p.png", GAUSSIAN, HOME=self.folder), (0, b"", b""))
        self.assertFalse(os.path.exists(self.path("PWNED")))
        with open(self.path("p.png"), "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    def test_a_picture_that_is_not_written_is_an_error(self):
        def refused(status, said, *words, **environment):
            got, out, err = self.run_here("curve", *words, GAUSSIAN, **environment)
            self.assertEqual((got, out), (status, b""), words)
            self.assertRegex(err.decode(), f"^pld: .*{said}.*\n$", words)

        os.mkdir(self.path("folder.svg"))
        for ending in ("svg", "png", "csv", "json"):
            refused(2, "No such file", "--output", "no/such/folder/x." + ending)
        refused(2, "not a regular file", "--output", "folder.svg")
        refused(1, "cannot start gnuplot", "--output", "x.svg", PATH="/nonexistent")
        for script, said in [("exit 0", "drew nothing"), ("exit 3", "gnuplot failed"), ("kill -9 $$", "gnuplot failed"),
                             ("/bin/cat >/dev/null", "drew nothing")]:
            with open(self.path("gnuplot"), "w") as fake:
                fake.write("#!/bin/sh\n" + script + "\n")
            os.chmod(self.path("gnuplot"), 0o755)
            refused(1, said, "--output", "x.svg", PATH=self.folder)
        self.assertFalse(os.path.exists(self.path("x.svg")))


class Files(InAFolder):
    def test_links_and_devices_are_not_written_to(self):
        self.write("victim", SECRET)
        os.symlink("victim", self.path("out.csv"))
        self.assertEqual(self.run_here("curve", "--range", "0:1:3", "--output", "out.csv", GAUSSIAN), (0, b"", b""))
        with open(self.path("victim")) as file:
            self.assertEqual(file.read(), SECRET)
        self.assertFalse(os.path.islink(self.path("out.csv")))  # the link was replaced
        os.mkfifo(self.path("pipe.csv"))
        status, _, err = self.run_here("curve", "--output", "pipe.csv", GAUSSIAN)
        self.assertEqual(status, 2)
        self.assertIn(b"not a regular file", err)

    def test_owner_and_mode_are_kept(self):
        for name in ("out.csv", "out.svg"):
            self.write(name, "old")
            os.chmod(self.path(name), 0o640)
            if os.geteuid() == 0:
                os.chown(self.path(name), 65534, 65534)
            self.assertEqual(self.run_here("curve", "--range", "0:1:3", "--output", name, GAUSSIAN)[0], 0)
            found = os.stat(self.path(name))
            self.assertEqual(found.st_mode & 0o7777, 0o640)
            if os.geteuid() == 0:
                self.assertEqual((found.st_uid, found.st_gid), (65534, 65534))
        old = os.umask(0o027)
        self.addCleanup(os.umask, old)
        self.run_here("curve", "--range", "0:1:3", "--output", "new.csv", GAUSSIAN)
        self.assertEqual(os.stat(self.path("new.csv")).st_mode & 0o7777, 0o640)

    def test_a_full_disk_leaves_the_old_file(self):
        self.write("out.csv", "old")
        script = "trap '' XFSZ; ulimit -f 1; exec \"$PLD\" curve --range 0:1:2000 --output out.csv gaussian:sigma=1"
        done = subprocess.run(["bash", "-c", script], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, "^pld: cannot write 'out.csv': File too large\n$")
        with open(self.path("out.csv")) as file:
            self.assertEqual(file.read(), "old")
        self.assertEqual(os.listdir(self.folder), ["out.csv"])

    def test_files_of_mechanisms_can_be_forbidden(self):
        self.write("t.csv", "p,q\n.5,.25\n.5,.75\n")
        word = "mass-table:file=t.csv"
        self.run_here("ledger", "init", "b", "--epsilon", "1", "--delta", "1e-6")
        ledger = self.write("l.json", json.dumps({"mechanisms": [{"type": "mass-table", "file": "t.csv"}]}))
        for words in (["epsilon", "--delta", ".1"], ["delta", "--epsilon", "1"], ["curve"], ["explain"],
                      ["compare", "--delta", ".1"], ["ledger", "spend", "b"], ["ledger", "status", "b"],
                      ["ledger", "init", "c", "--kind", "planned", "--epsilon", "9", "--delta", ".1"],
                      ["calibrate", "--epsilon", "9", "--delta", ".1", "gaussian:sigma=?"]):
            for named in ([word], ["--ledger", ledger]):
                if named[0] == "--ledger" and words[0] in ("ledger", "calibrate"):
                    continue
                status, out, err = self.run_here(*words, "--no-files", *named)
                self.assertEqual((status, out), (2, b""), words)
                self.assertRegex(err.decode(), "files are forbidden", words)
                self.assertNotIn("forbidden", self.run_here(*words, *named)[2].decode(), words)
        line = json.dumps({"query": "delta", "epsilon": 1, "mechanisms": [{"type": "mass-table", "file": "t.csv"}]})
        for words, answered in (([], False), (["--no-files"], False), (["--files"], True)):
            out = json.loads(self.run_here("batch", *words, stdin=line.encode())[1])
            self.assertEqual("delta" in out and isinstance(out["delta"], dict), answered, words)
            if not answered:
                self.assertIn("files are forbidden", out["error"])

    def test_nothing_of_a_file_is_told(self):
        secret = {"etc.csv": SECRET, "etc.json": SECRET, "s.json": '{"SECRET":["SECRET"]}', "t.json": '{"p":["SECRET"],"q":[1]}',
                  "u.json": '{"p":[1],"p":[1],"SECRET":1}', "v.csv": "p,q\nSECRET,1\n", "w.csv": "SECRET\n1\n",
                  "x.csv": "p,q\n.5,.5,SECRET\n", "y.json": '{"p":[1],"q":1e999SECRET', "z.json": '"SECRET', "m.csv": "\xff\x00SECRET"}
        for name, text in secret.items():
            self.write(name, text)
            words = [("delta", "--epsilon", "1", "mass-table:file=" + name)]
            if name in ("etc.json", "z.json", "y.json", "m.csv", "etc.csv"):
                words.append(("delta", "--epsilon", "1", "--ledger", name))
            for query in words:
                status, out, err = self.run_here(*query)
                self.assertEqual((status, out), (2, b""), query)
                self.assertNotIn(b"SECRET", err, query)
                self.assertNotIn(b"root", err, query)
                self.assertIn(name.encode(), err, query)

    def test_devices_pipes_and_huge_files_are_refused_at_once(self):
        os.mkfifo(self.path("pipe"))
        with open(self.path("huge"), "wb") as file:
            file.truncate(6 << 30)
        os.symlink("/dev/zero", self.path("link"))
        for name, said in (("pipe", "not a regular file"), ("/dev/zero", "not a regular file"), ("link", "not a regular file"),
                           (".", "not a regular file"), ("huge", "larger than 64 MB")):
            for query in (("delta", "--epsilon", "1", "mass-table:file=" + name), ("delta", "--epsilon", "1", "--ledger", name)):
                start = time.time()
                status, out, err = self.run_here(*query, limit=(resource.RLIMIT_AS, (1 << 30, 1 << 30)))
                self.assertEqual((status, out), (2, b""), (query, err))
                self.assertIn(said.encode(), err, query)
                self.assertLess(time.time() - start, 20)

    def test_a_name_with_a_nul_is_no_file_s(self):
        self.write("pair.csv", "p,q\n0.5,0.1\n0.5,0.9\n")
        for name, error in (("pair.csv", None), ("pair.csv\0", "file: 'pair.csv\\x00' does not exist"), ("pair.csv\0.json", "file: 'pair.csv\\x00.json' does not exist")):
            query = {"query": "delta", "epsilon": 1, "mechanisms": [{"type": "mass-table", "file": name}]}
            status, out, _ = self.run_here("batch", "--files", stdin=json.dumps(query).encode())
            self.assertEqual((status, json.loads(out).get("error")), (0, error))

    def test_names_the_system_refuses_are_bad_input(self):
        os.symlink("loop", self.path("loop"))
        self.write("file", "")
        for name, said in (("loop", "symbolic links"), ("x" * 300, "too long"), ("file/x", "Not a directory")):
            for query in (("delta", "--epsilon", "1", "mass-table:file=" + name), ("delta", "--epsilon", "1", "--ledger", name),
                          ("ledger", "status", name)):
                status, out, err = self.run_here(*query)
                self.assertEqual((status, out), (2, b""), (query, err))
                self.assertIn(said.encode(), err, query)

    def test_a_ledger_from_a_shell_s_own_pipe(self):
        text = '{"mechanisms":[{"type":"gaussian","sigma":1}]}'
        want = self.run_here("epsilon", "--delta", "1e-6", "gaussian:sigma=1", "--json")
        line = '"$PLD" epsilon --delta 1e-6 --json --ledger <(printf %s "$TEXT")'
        done = subprocess.run(["bash", "-c", line], env={**os.environ, "TEXT": text}, capture_output=True, timeout=60)
        self.assertEqual(done.stderr, b"")
        self.assertEqual(json.loads(done.stdout)["epsilon"], json.loads(want[1])["epsilon"])
        # Of what goes on for ever no more than 64 MB is read.
        line = '"$PLD" epsilon --delta 1e-6 --ledger <(cat /dev/zero)'
        done = subprocess.run(["bash", "-c", line], capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"larger than 64 MB", done.stderr)
        # So are the scores of an audit, a plan, and the lines of another ledger.
        within = '"$PLD" audit --delta 1e-5 --in <(seq 41 90) --out <(seq 1 50)'
        done = subprocess.run(["bash", "-c", within], capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        files = [self.path(name) for name in ("in", "out", "first", "second")]
        for name, first in (("in", 41), ("out", 1)):
            self.write(name, "".join(f"{score}\n" for score in range(first, first + 50)))
        self.assertEqual(done.stdout, self.run_here("audit", "--delta", "1e-5", "--in", files[0], "--out", files[1])[1])
        copied = '"$PLD" ledger init $0 --rho 1 --kind planned --plan <(printf %s "$TEXT") && "$PLD" ledger import $1 <("$PLD" ledger export $0)'
        done = subprocess.run(["bash", "-c", copied, *files[2:]], env={**os.environ, "TEXT": text}, capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(self.run_here("ledger", "export", "first")[1], self.run_here("ledger", "export", "second")[1])
        # A mechanism may not read one: whoever writes a query would read what this process was given.
        line = '"$PLD" delta --epsilon 1 mass-table:file=<(printf "p,q\\n1,1\\n")'
        done = subprocess.run(["bash", "-c", line], capture_output=True, timeout=60)
        self.assertIn(b"not a regular file", done.stderr)

    def test_a_ledger_from_standard_input(self):
        text = b'{"mechanisms":[{"type":"gaussian","sigma":1}]}'
        for words in (["epsilon", "--delta", "1e-6"], ["compare", "--delta", "1e-6"], ["curve", "--range", "0:1:3", "vs", GAUSSIAN]):
            status, out, err = self.run_here(*words[:3], "--ledger", "-", *words[3:], stdin=text)
            self.assertEqual((status, err), (0, b""), words)
        status, _, err = self.run_here("epsilon", "--delta", "1e-6", "--ledger", "-", stdin=b"x" * (65 << 20))
        self.assertEqual(status, 2)
        self.assertIn(b"larger than 64 MB", err)


@unittest.skipUnless(shutil.which("readelf"), "readelf is not installed")
class Binary(unittest.TestCase):
    def readelf(self, *words):
        return subprocess.run(["readelf", "-W", *words, os.environ["PLD"]], capture_output=True, text=True, check=True).stdout

    def test_hardening(self):
        if "Advanced Micro Devices X86-64" in self.readelf("-h"):
            # Of the linker's note, which wants it of every object, the C library's start code has none.
            main = subprocess.run(["objdump", "-d", "--disassemble=main", os.environ["PLD"]], capture_output=True, text=True, check=True)
            self.assertRegex(main.stdout, r"<main>:\n.*endbr64")
        self.assertIn("DYN (Position-Independent Executable file)", self.readelf("-h"))
        segments = self.readelf("-l")
        self.assertIn("GNU_RELRO", segments)
        self.assertRegex(segments, r"GNU_STACK .* RW ")
        self.assertRegex(self.readelf("-d"), r"BIND_NOW|FLAGS_1.*NOW")
        symbols = self.readelf("--dyn-syms")
        self.assertIn("__stack_chk_fail", symbols)
        if os.environ["PLD_BUILD_TYPE"] in ("Release", "RelWithDebInfo", "MinSizeRel"):
            self.assertGreater(len(set(re.findall(r"__\w+_chk\b", symbols))), 1)  # FORTIFY's

    def test_flags_are_not_exported(self):
        exported = os.environ["PLD_EXPORTED"]
        found = 0
        for folder, _, names in os.walk(exported):
            for name in names:
                if name.endswith(".cmake") and "pldTargets" in name:
                    found += 1
                    with open(os.path.join(folder, name)) as file:
                        text = file.read()
                    for flag in ("FORTIFY", "stack-protector", "cf-protection", "relro", "pld_hardening", "pld_warnings"):
                        self.assertNotIn(flag, text)
        self.assertGreater(found, 0)


if __name__ == "__main__":
    unittest.main()
