#!/bin/sh
# What the open window costs a training run: the same run without and with a window that follows it, in turns
# (A B A B ...), because a shared machine drifts. Prints each pair's tokens a second and the median cost in percent.
#   tests/benchmark/window_cost.sh [PAIRS] [THREADS]      (5 pairs and one thread by default)
# The window paints into memory (QT_QPA_PLATFORM=offscreen) unless SEXTANT_WINDOW_PLATFORM names another platform.
set -eu
pairs=${1:-5}
threads=${2:-1}
bin=${SEXTANT_BIN:-build/release/bin}
steps=${SEXTANT_BENCH_STEPS:-600}
platform=${SEXTANT_WINDOW_PLATFORM:-offscreen}
[ -x "$bin/sextant" ] && [ -x "$bin/sextant-cli" ] || { echo "no sextant and sextant-cli in $bin; set SEXTANT_BIN" >&2; exit 77; }
work=$(mktemp -d)
window=
trap '[ -z "$window" ] || kill "$window" 2>/dev/null || true; rm -rf "$work"' EXIT INT TERM
export XDG_CONFIG_HOME="$work/config" SEXTANT_CLI="$bin/sextant-cli"
"$bin/sextant-cli" preset quick > "$work/e.json"

# speed FOLDER: trains one arm there and prints the tokens a second of the run's own record.
speed() {
    "$bin/sextant-cli" run "$work/e.json" --project "$1" --arms "$arm" --threads "$threads" --jobs 1 --progress none \
        --set "/training/steps=$steps" --set /training/snapshot_every=0 > /dev/null
    "$bin/sextant-cli" export "$1" --format csv --out "$1/out" > /dev/null
    awk -F, 'NR == 2 { print $6 }' "$1/out/runs.csv"
}
arm=$(awk -F'"' '/"name"/ { n++; if (n == 2) { print $4; exit } }' "$work/e.json")
# Prepared once, so that the window finds a project and neither run pays for the data.
costs=''
i=0
while [ "$i" -lt "$pairs" ]; do
    a=$(speed "$work/without-$i")
    mkdir -p "$work/with-$i"
    cp "$work/e.json" "$work/with-$i/experiment.json"
    QT_QPA_PLATFORM=$platform "$bin/sextant" --page curves "$work/with-$i" > /dev/null 2>&1 &
    window=$!
    sleep 2
    b=$(speed "$work/with-$i")
    kill "$window" 2>/dev/null || true
    wait "$window" 2>/dev/null || true
    window=
    cost=$(awk -v a="$a" -v b="$b" 'BEGIN { printf "%.2f", (a - b) / a * 100 }')
    costs="$costs $cost"
    echo "pair $i, $threads thread(s): $a tokens/s without, $b with the window, cost $cost %"
    i=$((i + 1))
done
echo "$costs" | tr ' ' '\n' | sed '/^$/d' | sort -n | awk -v t="$threads" '{ c[NR] = $1 } END {
    m = NR % 2 ? c[(NR + 1) / 2] : (c[NR / 2] + c[NR / 2 + 1]) / 2
    printf "median cost of the window with %s training thread(s): %.2f %% of tokens/s over %d pairs\n", t, m, NR }'
