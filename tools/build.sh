# Shared by tools/run and tools/test, which source it: installs what is missing, configures and builds into build/.
# Nothing here writes to stdout: that belongs to the command that was asked for.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build
packages=(g++ cmake ninja-build libfftw3-dev libeigen3-dev libboost-dev nlohmann-json3-dev libcli11-dev libsqlite3-dev
          libsodium-dev)

missing_packages() {
  local package
  for package in "${packages[@]}"; do
    [[ $(dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null) == ?i* ]] || echo "$package"
  done
}

# apt_get WORD...: as root, waiting for another apt to end.
apt_get() {
  local as_root=()
  ((EUID == 0)) || as_root=(sudo)
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@" >&2
}

# Whatever cannot be installed is named, and CMake has the last word: it may be there without apt's knowing.
install_missing() {
  if ! command -v apt-get dpkg-query >/dev/null; then
    [[ -f $build/build.ninja ]] || echo "pld: no apt here; needed are what Debian calls ${packages[*]}" >&2
    return 0
  fi
  local missing
  mapfile -t missing < <(missing_packages)
  ((${#missing[@]})) || return 0
  echo "pld: installing ${missing[*]}" >&2
  { apt_get update && apt_get install -y --no-install-recommends "${missing[@]}"; } ||
    echo "pld: could not install all of: ${missing[*]}" >&2
}

# A build directory copied from elsewhere is configured afresh. with_tests is ON or OFF; a build with tests keeps them. Who
# builds once (no tests, or CI) takes half the time by PLD_UNITY; who changes files and tests them compiles those alone.
with_tests=OFF
configure_once() {
  local together=ON
  [[ $with_tests == OFF || -n ${CI:-} ]] || together=OFF
  if [[ ! -f $build/build.ninja ]] || ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
    (cd "$root" && cmake --fresh --preset release -DBUILD_TESTING=$with_tests -DPLD_UNITY=$together >&2)
  elif [[ $with_tests == ON ]] && grep -qxF BUILD_TESTING:BOOL=OFF "$build/CMakeCache.txt"; then
    cmake -S "$root" -B "$build" -DBUILD_TESTING=ON >&2
  fi
}

run_ninja() { ninja -C "$build" "$@" | sed -u '/no work to do\.$/d' >&2; }

# Two files of a room may have come to share a name (cmake/unity.cmake): each by itself, then.
compile_apart() {
  grep -qxF PLD_UNITY:BOOL=ON "$build/CMakeCache.txt" || return 1
  cmake -S "$root" -B "$build" -DPLD_UNITY=OFF >&2
  run_ninja "$@"
}

# build_targets TARGET...: shows its progress the first time, later only what goes wrong. Calls wait for each other.
build_targets() {
  local lock quiet=()
  mkdir -p "$build"
  exec {lock}>"$build/.lock"
  flock "$lock"
  install_missing
  configure_once
  [[ -x $build/bin/pld ]] && quiet=(--quiet)
  run_ninja "${quiet[@]}" "$@" || compile_apart "$@"
  exec {lock}>&-
}
