#!/bin/sh
# googlesqlite, the analyser of GoogleSQL with SQLite below, built from its Go module: minutes the first time, kept ever after.
set -eu
root=${GRAINLINE_ENGINES:-$HOME/.cache/grainline/engines}/bigquery
[ -x "$root/googlesqlite-lines" ] && exit 0
mkdir -p "$root"
cd "$(dirname "$0")/googlesqlite"
go build -o "$root/googlesqlite-lines" .
