"""What others build and install: the Debian packages, pkg-config's file, and pld inside another project's build."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

BUILD, SOURCE, COMPILER = (os.environ[name] for name in ("PLD_BUILD", "PLD_SOURCE", "PLD_COMPILER"))
CONSUMER = pathlib.Path(SOURCE, "tests", "packaging", "consumer")


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{words} exits with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


class Packaging(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    @unittest.skipUnless(shutil.which("dpkg-shlibdeps"), "no Debian")
    def test_debian_packages_install_and_run(self):
        run("cpack", "-G", "DEB", "--config", f"{BUILD}/CPackConfig.cmake", "-B", self.folder / "packages")
        packages = list((self.folder / "packages").glob("*.deb"))
        self.assertEqual(sorted(package.name.split("_")[0] for package in packages), ["libpld-dev", "pld"])
        root = self.folder / "root"
        for folder in ("var/lib/dpkg/info", "var/lib/dpkg/updates"):
            (root / folder).mkdir(parents=True)
        (root / "var/lib/dpkg/status").touch()
        # The root has no other packages: what they depend on is this machine's.
        run("dpkg", f"--root={root}", "--force-not-root", "--force-depends", "--force-script-chrootless", "--install",
            *packages)
        answer = run(root / "usr/bin/pld", "epsilon", "--delta", "1e-6", "gaussian:sigma=1")
        self.assertTrue(answer.startswith("epsilon <= 4.8865541174"), answer)
        status = (root / "var/lib/dpkg/status").read_text()
        for needed in ("libfftw3", "libsqlite3-0", "libsodium23", "libfftw3-dev"):
            self.assertIn(needed, status)
        for file in ("share/man/man1/pld.1", "share/doc/pld/copyright", "share/bash-completion/completions/pld",
                     "include/pld/pld.hpp", "include/pld/version.hpp"):
            self.assertTrue((root / "usr" / file).is_file(), file)

    @unittest.skipUnless(shutil.which("pkg-config"), "no pkg-config")
    def test_pkg_config(self):
        run("cmake", "--install", BUILD, "--prefix", self.folder / "prefix")
        file = next((self.folder / "prefix").rglob("pld.pc"))
        words = run("pkg-config", "--cflags", "--libs", "pld", env=os.environ | {"PKG_CONFIG_PATH": str(file.parent)})
        program = self.folder / "consumer"
        run(COMPILER, "-std=c++20", CONSUMER / "main.cpp", "-o", program, *words.split())
        run(program)

    def test_other_containers_are_told_by_the_linker(self):
        """A program with _GLIBCXX_DEBUG has larger containers than a library without: it would crash."""
        words = ("-std=c++20", "-D_GLIBCXX_DEBUG", f"-I{SOURCE}/include", f"-I{BUILD}/include", CONSUMER / "main.cpp")
        objects = self.folder / "main.o"
        run(COMPILER, *words, "-c", "-o", objects)
        with self.assertRaisesRegex(AssertionError, "undefined reference to .*library_compiled_with_GLIBCXX_DEBUG"):
            run(COMPILER, objects, *pathlib.Path(BUILD).glob("libpld.*"), "-Wl,--unresolved-symbols=report-all",
                "-o", self.folder / "consumer")

    def test_the_command_finds_a_shared_library_wherever_it_is_installed(self):
        run("cmake", "-S", SOURCE, "-B", self.folder / "build", "-DBUILD_SHARED_LIBS=ON", "-DBUILD_TESTING=OFF",
            "-DCMAKE_INSTALL_LIBDIR=lib/here", f"-DCMAKE_CXX_COMPILER={COMPILER}")
        script = (self.folder / "build/tools/cli/cmake_install.cmake").read_text()
        self.assertIn('"$ORIGIN/../lib/here"', script.replace("\\", ""))

    def test_inside_another_project(self):
        """Optimised whatever the parent forgot, its prefix and its options left alone."""
        run("cmake", "-S", CONSUMER, "-B", self.folder / "build", f"-DPLD_SOURCE={SOURCE}", "-DCMAKE_BUILD_TYPE=",
            "-DCMAKE_CXX_FLAGS=", f"-DCMAKE_CXX_COMPILER={COMPILER}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
        commands = (self.folder / "build/compile_commands.json").read_text()
        self.assertRegex(commands, r"-O2[^\n]*query\.cpp")
        self.assertNotRegex(commands, r"-O2[^\n]*consumer/main\.cpp")
        self.assertNotIn("/tests/account/", commands)
        script = (self.folder / "build/pld/cmake_install.cmake").read_text()
        self.assertIsNone(re.search(r"file\(INSTALL", script))
        self.assertNotIn("BUILD_TESTING", (self.folder / "build/CMakeCache.txt").read_text())


if __name__ == "__main__":
    unittest.main()
