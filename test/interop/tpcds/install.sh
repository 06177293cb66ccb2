#!/bin/sh
# The DuckDB extension that makes the data of TPC-DS and knows its queries: as a Python package, of the version of DuckDB in the lock.
set -eu
cd "$(dirname "$0")"
version=1.5.5
target=../node_modules/.duckdb
[ -f "$target/tpcds.duckdb_extension" ] && exit 0
mkdir -p "$target"
if ! python3 -m pip download -q --no-deps --dest "$target" "duckdb-extension-tpcds==$version" >/dev/null 2>&1; then
  echo 'The TPC-DS extension of DuckDB cannot be installed here'
  exit 0
fi
python3 - "$target" <<'PY'
import glob, sys, zipfile
target = sys.argv[1]
for wheel in glob.glob(f'{target}/*.whl'):
    with zipfile.ZipFile(wheel) as files:
        for name in files.namelist():
            if name.endswith('tpcds.duckdb_extension'):
                open(f'{target}/tpcds.duckdb_extension', 'wb').write(files.read(name))
PY
