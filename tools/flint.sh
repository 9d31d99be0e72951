# Shared by tools/vectors, tools/verify and tools/test, which source it: Python with what validation/requirements.txt pins, in build/flint.
# It comes from the Python package index; nothing else of the machine is touched. Without a network there is none.
source "$(dirname "${BASH_SOURCE[0]}")/build.sh"
flint_python=$build/flint/bin/python

# make_flint [FOLDER]: with what the requirements.txt of that folder pins besides.
make_flint() {
  local folder
  for folder in validation "$@"; do
    cmp -s "$root/$folder/requirements.txt" "$build/flint/${folder//\//-}.txt" && continue
    packages+=(python3-venv)
    install_missing
    { python3 -m venv "$build/flint" && "$flint_python" -m pip install -q -r "$root/$folder/requirements.txt"; } >&2 &&
      cp "$root/$folder/requirements.txt" "$build/flint/${folder//\//-}.txt" || return
  done
}
