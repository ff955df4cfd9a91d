# Debian 12 packages Sextant needs, and a function that installs what is missing. Sourced by run.sh and test.sh.

# Build tools and libraries of core and the command line.
SEXTANT_BASE_PACKAGES="ca-certificates cmake g++ git libcli11-dev libdnnl-dev libfmt-dev libhwy-dev libopenblas0-pthread
  libpcre2-dev libssl-dev libtorch-dev ninja-build nlohmann-json3-dev pkg-config"
# The window: Qt 6, QCustomPlot, and the fonts its look is made of.
SEXTANT_GUI_PACKAGES="fonts-noto-cjk fonts-noto-core fonts-noto-mono fonts-symbola libgl-dev libqcustomplot-dev qt6-svg-dev
  qt6-base-dev qt6-l10n-tools qt6-qpa-plugins qt6-tools-dev qt6-tools-dev-tools"
# What the tests look with: locales, PDF tools, a virtual display.
SEXTANT_TEST_PACKAGES="locales-all poppler-utils xauth xvfb"

# sextant_install PACKAGE...: installs the missing ones as root or through sudo and says which; silent when all are there.
sextant_install() {
  local missing=() package
  for package in "$@"; do
    if ! dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed; then
      missing+=("$package")
    fi
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  if ! command -v apt-get >/dev/null; then
    echo "sextant: these Debian packages are needed and apt-get is not here: ${missing[*]}" >&2
    return 6
  fi
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "sextant: run as root, or install these packages first: ${missing[*]}" >&2
      return 6
    fi
    as_root=(sudo)
  fi
  echo "sextant: installing Debian packages: ${missing[*]}" >&2
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get update -q &&
         "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "sextant: installing failed; the whole log is $log" >&2
    return 6
  fi
  rm -f "$log"
}

# sextant_build PRESET TARGET...: configures once and builds; output only when it fails or on a terminal.
sextant_build() {
  local preset=$1
  shift
  local log=build/$preset-build.log
  mkdir -p build
  if ! cmake --preset "$preset" >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    return 70
  fi
  echo "sextant: building ($preset); the first time takes several minutes" >&2
  if [ -t 2 ]; then
    cmake --build "build/$preset" --target "$@" >&2
  elif ! cmake --build "build/$preset" --target "$@" >>"$log" 2>&1; then
    tail -n 60 "$log" >&2
    echo "sextant: the build failed; the whole log is $log" >&2
    return 70
  fi
}
