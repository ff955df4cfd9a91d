#!/usr/bin/env bash
# Checks that are no tests: core and command line build without Qt, every core header compiles alone and leaks no Qt or
# torch macro, no warning in our code, formatting.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/.."
. packaging/packages.sh
sextant_install clang-format

if git ls-files '*.cpp' '*.h' | xargs clang-format --dry-run -Werror >/tmp/sextant-format.$$ 2>&1; then
  rm -f /tmp/sextant-format.$$
else
  head -n 20 /tmp/sextant-format.$$
  rm -f /tmp/sextant-format.$$
  echo "check: not formatted; run clang-format -i on the files named"
  exit 1
fi

if grep -nE 'warning:' build/release-build.log 2>/dev/null | grep -F "$PWD" | head -n 20 | grep .; then
  echo "check: compiler warnings"
  exit 1
fi

one=$(mktemp -d)
trap 'rm -rf "$one"' EXIT
git ls-files 'core/*.h' | grep -v '^core/engine/' | while read -r header; do
  printf '#include "%s"\n#if defined(QT_VERSION) || defined(TORCH_VERSION) || defined(C10_API) || defined(slots)\n#error "%s pulls in Qt or torch"\n#endif\n' \
    "$header" "$header" >"$one/header.cpp"
  g++ -std=c++20 -I. -Wall -Wextra -fsyntax-only "$one/header.cpp" || exit 1
done

sextant_build headless sextant-cli
if ldd build/headless/bin/sextant-cli | grep -q libQt6; then
  echo "check: the command line links Qt 6"
  exit 1
fi
ctest --test-dir build/headless -R '^smoke$' --output-on-failure --no-tests=error >/dev/null || { echo "check: the headless smoke test failed"; exit 1; }
echo "check: format, headers, headless build: fine"
