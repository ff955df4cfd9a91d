#!/usr/bin/env bash
# Installs what is missing, builds the release and opens the window. Without a display it trains the `quick` preset
# with the command line and prints the result table. Arguments are passed on to whichever of the two is started.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/.."
here=$PWD
. packaging/packages.sh

# shellcheck disable=SC2086  # the lists are words on purpose
sextant_install $SEXTANT_BASE_PACKAGES $SEXTANT_GUI_PACKAGES
sextant_build release sextant sextant-cli
cd "${OLDPWD:-$here}"

export SEXTANT_CLI=$here/build/release/bin/sextant-cli
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  exec "$here/build/release/bin/sextant" "$@"
fi
if [ $# -eq 0 ]; then
  echo "sextant: no display, so the quick preset is trained with the command line" >&2
  exec "$SEXTANT_CLI" run --preset quick
fi
case $1 in
  --render|--export|--version|--help) exec "$here/build/release/bin/sextant" "$@" ;;
  *) exec "$SEXTANT_CLI" "$@" ;;
esac
