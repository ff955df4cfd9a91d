#!/usr/bin/env bash
# Installs what is missing, builds the release with its tests and runs them. Arguments are passed on to ctest.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/.."
. packaging/packages.sh

# shellcheck disable=SC2086  # the lists are words on purpose
sextant_install $SEXTANT_BASE_PACKAGES $SEXTANT_GUI_PACKAGES $SEXTANT_TEST_PACKAGES
sextant_build release all
# Programs that train use both cores; running two at once keeps the machine busy without starving the timers.
exec ctest --test-dir build/release --output-on-failure --no-tests=error -j 2 "$@"
