#!/bin/sh
# DataFusion as a library, in a Python environment of its own.
set -eu
root=${GRAINLINE_ENGINES:-$HOME/.cache/grainline/engines}/datafusion
[ -f "$root/ready" ] && exit 0
rm -rf "$root"
mkdir -p "$(dirname "$root")"
python3 -m venv "$root"
"$root/bin/pip" install -q datafusion==55.0.0 || { rm -rf "$root"; exit 1; }
touch "$root/ready"
