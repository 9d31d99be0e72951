# Sourced by tools/test after tools/build.sh: a virtual environment in build/venv for the Python package and its tests.
venv=$build/venv

# Without a package index the C++ tests still run; ctest then has no tests of Python, which is said.
python_for_tests() {
  install_missing
  if [[ ! -f $venv/ready ]]; then
    local python=/usr/bin/python3  # the one that python3-dev has headers for
    [[ -x $python ]] || python=python3
    if ! { "$python" -m venv --clear "$venv" &&
      "$venv/bin/pip" install -q -r "$root/tests/python/requirements.txt" >&2 &&
      "$venv/bin/pip" install -q --no-deps opacus >&2; }; then
      echo "pld: no package index: the Python package is not built and not tested" >&2
      return 0
    fi
    touch "$venv/ready"
  fi
  configure_once
  grep -qxF "Python_EXECUTABLE:UNINITIALIZED=$venv/bin/python" "$build/CMakeCache.txt" ||
    cmake -S "$root" -B "$build" -U 'Python_*' -U '_Python_*' -DPLD_PYTHON=ON -DPython_EXECUTABLE="$venv/bin/python" >&2
}
