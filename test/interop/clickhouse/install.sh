#!/bin/sh
# chDB, which is ClickHouse as a library, in a Python environment of its own.
set -eu
root=${GRAINLINE_ENGINES:-$HOME/.cache/grainline/engines}/clickhouse
[ -f "$root/ready" ] && exit 0
rm -rf "$root"
mkdir -p "$(dirname "$root")"
python3 -m venv "$root"
"$root/bin/pip" install -q --no-deps chdb==4.4.0 chdb-core==26.9.0 && touch "$root/ready" || { rm -rf "$root"; exit 1; }
