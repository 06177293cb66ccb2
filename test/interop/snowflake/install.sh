#!/bin/sh
# fakesnow, a Snowflake that is DuckDB below, and two parsers of SQL, in a Python environment of their own.
set -eu
root=${GRAINLINE_ENGINES:-$HOME/.cache/grainline/engines}/snowflake
[ -x "$root/bin/sqlfluff" ] && exit 0
rm -rf "$root"
mkdir -p "$(dirname "$root")"
python3 -m venv "$root"
"$root/bin/pip" install -q 'fakesnow[server]==0.12.1' 'snowflake-connector-python<5' sqlfluff || { rm -rf "$root"; exit 1; }
