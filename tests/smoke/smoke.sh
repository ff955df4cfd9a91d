#!/bin/sh
# The command line without Qt: it starts, lists, computes one known number and refuses nonsense with one line.
set -eu
cli=$1
"$cli" --version | grep -q '^Sextant '
"$cli" encodings --json | grep -q '"alibi"'
"$cli" tables alibi --what slopes --heads 4 --format csv | tr -d ' \r' | grep -q '0.25'
status=0
"$cli" run /nonexistent.json 2>/tmp/sextant-smoke.$$ || status=$?
[ "$status" -eq 3 ] || [ "$status" -eq 4 ]
[ "$(wc -l </tmp/sextant-smoke.$$)" -eq 1 ]
rm -f /tmp/sextant-smoke.$$
