#!/bin/sh
# The DuckDB extensions that make the data of TPC-DS and of TPC-H and know their queries: as Python packages, of the version of DuckDB in the lock.
set -eu
cd "$(dirname "$0")"
version=1.5.5
target=../node_modules/.duckdb
mkdir -p "$target"
for name in tpcds tpch; do
  [ -f "$target/$name.duckdb_extension" ] && continue
  if ! python3 -m pip download -q --no-deps --dest "$target" "duckdb-extension-$name==$version" >/dev/null 2>&1; then
    echo "The extension $name of DuckDB cannot be installed here"
    continue
  fi
  python3 - "$target" "$name" <<'PY'
import glob, sys, zipfile
target, name = sys.argv[1:]
for wheel in glob.glob(f'{target}/duckdb_extension_{name}-*.whl'):
    with zipfile.ZipFile(wheel) as files:
        for file in files.namelist():
            if file.endswith(f'{name}.duckdb_extension'):
                open(f'{target}/{name}.duckdb_extension', 'wb').write(files.read(file))
PY
done
