#!/usr/bin/env bash
# Runs each libFuzzer target for at least a million executions or so many seconds (600 by default), from seeds made of
# valid files, and prints what it did. An input that breaks something lies in build/fuzz/crashes.
#   packaging/fuzz.sh [SECONDS [TARGET...]]
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/.."
seconds=${1:-600}
shift || true
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz >build/fuzz/build.log 2>&1 || { tail -n 50 build/fuzz/build.log; exit 1; }
cd build/fuzz
mkdir -p crashes corpus
tests/bin/fuzz_smoke --write-seeds seeds >/dev/null
targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(ls seeds)
status=0
printf '%-20s %12s %10s %s\n' target executions seconds result
for target in "${targets[@]}"; do
  mkdir -p "corpus/$target"
  result=fine
  bin/"fuzz_$target" -max_total_time="$seconds" -runs=1000000 -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
    -print_final_stats=1 -print_funcs=0 -artifact_prefix="crashes/$target-" "corpus/$target" "seeds/$target" >"$target.log" 2>&1 ||
    { result="BROKEN, see build/fuzz/$target.log"; status=1; }
  printf '%-20s %12s %10s %s\n' "$target" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$target.log")" \
    "$(sed -n 's/^Done .* in \([0-9]*\) second.*/\1/p' "$target.log")" "$result"
done
exit $status
