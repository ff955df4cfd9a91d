#!/bin/sh
# Trains the small and the larger model with Sextant and with the eager PyTorch peer in turns (A B A B ...), because a
# shared machine drifts: only ratios within a pair mean something. Prints each pair and the median ratio.
#   SEXTANT_CLI=build/release/bin/sextant-cli SEXTANT_SHARED_DIR=../shared tests/benchmark/compare_with_peer.sh [PAIRS]
# Needs the shared folder's bench/peer_torch.py and Debian's python3-torch. Exit 77: something of that is missing.
set -eu
pairs=${1:-5}
cli=${SEXTANT_CLI:-build/release/bin/sextant-cli}
shared=${SEXTANT_SHARED_DIR:-../shared}
peer=$shared/bench/peer_torch.py
eager=$shared/prototypes/fused/attention_bench.py
python=${PYTHON:-/usr/bin/python3}
blas=${SEXTANT_PEER_BLAS:-/usr/lib/x86_64-linux-gnu/openblas-pthread}
steps=${SEXTANT_BENCH_STEPS:-200}
large_steps=${SEXTANT_BENCH_LARGE_STEPS:-6}
parts=${SEXTANT_BENCH_PARTS:-small large attention}

[ -x "$cli" ] || { echo "no sextant-cli at $cli; set SEXTANT_CLI" >&2; exit 77; }
[ -r "$peer" ] || { echo "no bench/peer_torch.py in $shared; set SEXTANT_SHARED_DIR" >&2; exit 77; }
"$python" -c 'import torch' 2>/dev/null || { echo "no PyTorch for $python; apt-get install python3-torch libopenblas0-pthread" >&2; exit 77; }

# The peer at its best: its BLAS held to one thread, a kernel chosen by hand where OpenBLAS does not know the CPU.
run_peer() {
    OPENBLAS_CORETYPE=${SEXTANT_PEER_CORETYPE:-SKYLAKEX} OPENBLAS_NUM_THREADS=1 LD_LIBRARY_PATH=$blas \
        PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$shared/bench "$python" "$@"
}
# field NAME: a number of the JSON document on standard input.
field() { "$python" -c 'import json,sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }
median() { "$python" -c 'import statistics,sys; print(round(statistics.median(map(float, sys.argv[1:])), 2))' "$@"; }
ratio() { "$python" -c 'import sys; print(round(float(sys.argv[1]) / float(sys.argv[2]), 3))' "$1" "$2"; }

# train NAME THREADS STEPS OURS... -- PEER...
train() {
    name=$1 threads=$2 count=$3
    shift 3
    ours='' theirs=''
    while [ "$1" != -- ]; do ours="$ours $1"; shift; done
    shift
    theirs=$*
    ratios=''
    i=0
    while [ "$i" -lt "$pairs" ]; do
        # shellcheck disable=SC2086
        mine=$("$cli" benchmark train --json --encoding rope --threads "$threads" --steps "$count" $ours)
        # shellcheck disable=SC2086
        other=$(run_peer "$peer" --encoding rope --threads "$threads" --steps "$count" --warmup 2 $theirs)
        a=$(echo "$mine" | field tokens_per_s) b=$(echo "$other" | field tokens_per_s)
        r=$(ratio "$a" "$b")
        ratios="$ratios $r"
        echo "$name, $threads threads: sextant $a, peer $b tokens/s, ratio $r; share of peak $(echo "$mine" | field gemm_peak_share);" \
            "memory: ours $(echo "$mine" | field extra_rss_mb) MB extra, peer $(echo "$other" | field peak_rss_mb) MB peak"
        i=$((i + 1))
    done
    # shellcheck disable=SC2086
    echo "$name, $threads threads: median ratio of $pairs pairs $(median $ratios)"
}

attention() {
    threads=$1 length=$2
    ratios=''
    i=0
    while [ "$i" -lt "$pairs" ]; do
        mine=$("$cli" benchmark attention --json --encoding alibi --threads "$threads" --length "$length" --steps 3)
        other=$(run_peer "$eager" --attention "$length" --threads "$threads" --steps 3)
        a=$(echo "$mine" | field forward_backward_ms) b=$(echo "$other" | field forward_backward_ms)
        r=$(ratio "$b" "$a")
        ratios="$ratios $r"
        echo "attention $length, $threads threads: sextant $a, eager $b ms, ratio $r; memory: ours" \
            "$(echo "$mine" | field extra_rss_mb) MB extra, eager $(echo "$other" | field peak_rss_mb) MB peak"
        i=$((i + 1))
    done
    # shellcheck disable=SC2086
    echo "attention $length, $threads threads: median ratio of $pairs pairs $(median $ratios)"
}

for part in $parts; do
    for threads in ${SEXTANT_BENCH_THREADS:-1 2}; do
        case $part in
        small) train small "$threads" "$steps" -- --batch 16 ;;
        large)
            train large "$threads" "$large_steps" --d-model 256 --layers 6 --heads 8 --d-ff 688 --length 512 --batch 8 \
                -- --d-model 256 --layers 6 --heads 8 --hidden 688 --seq 512 --batch 8
            ;;
        attention) attention "$threads" 4096 ;;
        esac
    done
done
