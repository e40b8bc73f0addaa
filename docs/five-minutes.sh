#!/usr/bin/env bash
# The first five minutes with hopflow, as commands: install, see, ask, size, change, and the lab.
# `cargo xtask lab --test` runs it in an empty folder with an empty home; a reader may do the same:
#
#     bash docs/five-minutes.sh
#
# HOPFLOW names a command that is installed already; without it the script installs one.
set -euo pipefail
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

say() { printf '\n# %s\n' "$*"; }

say "Install the command"
if [ -z "${HOPFLOW:-}" ]; then
  cargo install --quiet --locked --path "$project/crates/hopflow-cli" --root "$work/installed"
  HOPFLOW="$work/installed/bin/hopflow"
fi
"$HOPFLOW" --version

say "See a difference: a victim flow beside an incast, under three controls"
"$HOPFLOW" demo --out demo

say "How many credits fill a 400 Gb/s link of 300 m?"
"$HOPFLOW" size --rate "400 Gb/s" --delay "300 m"

say "Write a scenario, check it, run it, and ask why"
"$HOPFLOW" init first.toml
"$HOPFLOW" check first.toml
"$HOPFLOW" run first.toml --out runs/first
"$HOPFLOW" why runs/first

say "A mistake says where it is, and what was meant"
sed 's/^delay/dealy/' first.toml > wrong.toml
if "$HOPFLOW" check wrong.toml; then
  echo "the mistake was not found" >&2
  exit 1
fi

say "The same traffic under three controls"
"$HOPFLOW" compare first.toml --control drop-tail,n23,pfc --out runs/compare

say "What was written"
test -s runs/first/report.html
test -s runs/compare/report.html
ls runs/first

if [ -f "$project/lab/dist/index.html" ]; then
  say "The lab: open the page that a web server of yours gives for these files"
  ls "$project/lab/dist"
else
  say "The lab: cargo xtask lab builds it"
fi
