# Shared by tools/vectors, tools/verify and tools/test, which source it: Python with what validation/requirements.txt pins, in build/flint.
# It comes from the Python package index; nothing else of the machine is touched. Without a network there is none.
source "$(dirname "${BASH_SOURCE[0]}")/build.sh"
flint_python=$build/flint/bin/python

make_flint() {
  cmp -s "$root/validation/requirements.txt" "$build/flint/installed.txt" && return
  packages+=(python3-venv)
  install_missing
  { python3 -m venv "$build/flint" && "$flint_python" -m pip install -q -r "$root/validation/requirements.txt"; } >&2 &&
    cp "$root/validation/requirements.txt" "$build/flint/installed.txt"
}
