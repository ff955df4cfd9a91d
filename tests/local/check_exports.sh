#!/bin/bash
# Exports of a project judged by other people's programs: poppler, LaTeX, Chromium. Not part of CI: it needs
# poppler-utils, texlive-latex-base, texlive-latex-extra, texlive-pictures and, for the report's page, chromium.
# Usage: check_exports.sh BIN_DIR PROJECT [OUT_DIR]
set -euo pipefail
bin=$1 project=$2 out=${3:-$(mktemp -d)}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
fail() { echo "FAILED: $*" >&2; exit 1; }
for tool in pdffonts pdfimages pdfinfo pdflatex; do
  command -v $tool > /dev/null || fail "$tool is not installed"
done

"$bin/sextant" --export figure --figure all --project "$project" --out "$out/figures/" --formats pdf,svg,png,csv,tex,npy --force > "$out/written"
"$bin/sextant" --export report --project "$project" --out "$out/report.pdf" --force > /dev/null
"$bin/sextant-cli" export "$project" --format latex --out "$out/tables" --force > /dev/null

judge_pdf() {
  pdffonts "$1" | tail -n +3 > "$out/fonts"
  grep -q TrueType "$out/fonts" || fail "$1 has no TrueType font"
  if grep -q "Type 3" "$out/fonts"; then fail "$1 has a Type 3 font"; fi
  awk '{ if ($(NF-4) != "yes") exit 1 }' "$out/fonts" || fail "$1: a font is not embedded"
  if pdfimages -list "$1" | grep -q jpeg; then fail "$1 has a jpeg"; fi
}
for pdf in "$out"/figures/*.pdf "$out/report.pdf"; do judge_pdf "$pdf"; done
echo "fonts and images: $(ls "$out"/figures/*.pdf | wc -l) figures and the report"

# Page and viewBox at three scales of the screen, for each venue.
for scale in 1 1.25 2; do
  for venue in neurips iclr icml-column icml acl-column acl; do
    QT_SCALE_FACTOR=$scale "$bin/sextant" --export figure --figure loss --project "$project" --venue $venue --height 2.15in \
      --out "$out/$venue.pdf" --formats pdf,svg --force > /dev/null
    python3 - "$out/$venue" $venue $scale <<'P' || fail "$venue at scale $scale"
import re, subprocess, sys
widths = {"neurips": 5.5, "iclr": 5.5, "icml-column": 3.25, "icml": 6.75, "acl-column": 3.03, "acl": 6.3}
stem, venue = sys.argv[1:3]
want = widths[venue] * 72, 2.15 * 72
info = subprocess.run(["pdfinfo", stem + ".pdf"], capture_output=True, text=True).stdout
page = [float(x) for x in re.search(r"Page size:\s+([\d.]+) x ([\d.]+)", info).groups()]
box = [float(x) for x in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', open(stem + ".svg").read()).groups()]
assert all(abs(a - b) <= 0.5 for a, b in zip(page, want)), (page, want)
assert all(abs(a - b) <= 0.01 for a, b in zip(box, want)), (box, want)
P
  done
done
echo "page sizes: six venues at QT_SCALE_FACTOR 1, 1.25 and 2"

# One of each in a document.
{
  printf '%s\n' '\documentclass{article}' '\usepackage{graphicx,booktabs,longtable,textcomp,pgfplots}' \
    '\pgfplotsset{compat=1.16}' '\usepgfplotslibrary{fillbetween,groupplots}' '\begin{document}'
  for pdf in "$out"/figures/*.pdf; do
    printf '\\begin{figure}\\centering\\includegraphics{%s}\\caption{pdf}\\end{figure}\\clearpage\n' "$pdf"
  done
  for png in "$out"/figures/*.png; do printf '\\includegraphics[width=5in]{%s}\\clearpage\n' "$png"; done
  for tex in "$out"/figures/*.tex; do printf '\\begin{figure}\\input{%s}\\end{figure}\\clearpage\n' "$tex"; done
  for tex in "$out"/tables/*.tex; do printf '\\input{%s}\\clearpage\n' "$tex"; done
  printf '\\end{document}\n'
} > "$out/document.tex"
latex=${LATEX:-pdflatex}
(cd "$out" && $latex -interaction=nonstopmode -halt-on-error document.tex > document.out 2>&1) ||
  fail "$latex: $(grep -m3 -A3 '^!' "$out/document.out")"
echo "LaTeX: $(pdfinfo "$out/document.pdf" | awk '/Pages/ {print $2}') pages by $latex"

# The same bytes twice.
"$bin/sextant" --export figure --figure all --project "$project" --out "$out/again/" --formats pdf,svg,png,csv,tex,npy > /dev/null
for file in "$out"/figures/*; do
  case $file in *.figure.json) continue ;; esac
  cmp -s "$file" "$out/again/$(basename "$file")" || fail "$(basename "$file") differs the second time"
done
"$bin/sextant" --export report --project "$project" --out "$out/again.pdf" --force > /dev/null
cmp -s "$out/report.pdf" "$out/again.pdf" || fail "the report differs the second time"
rm -rf "$out/again"
echo "the same bytes twice"

python3 "$here/check_tensorboard.py" $( "$bin/sextant-cli" export "$project" --format tensorboard --out "$out/tensorboard" --force | head -2)
echo "all exports hold: $out"
