#!/bin/sh
# Clients of Arrow Flight SQL, each in a folder beside this file. One that cannot be installed here is named, and its test is skipped.
cd "$(dirname "$0")" || exit 1
clients=.clients
mkdir -p "$clients"
[ -x "$clients/python/bin/python" ] || {
  python3 -m venv "$clients/python" &&
    "$clients/python/bin/pip" install -q pyarrow adbc-driver-flightsql adbc-driver-manager pandas polars duckdb
} || { rm -rf "$clients/python"; echo 'the Python clients cannot be installed here'; }
ls "$clients"/flight-sql-jdbc-driver-*.jar >/dev/null 2>&1 ||
  mvn -q dependency:copy -Dartifact=org.apache.arrow:flight-sql-jdbc-driver:18.3.0 -DoutputDirectory="$PWD/$clients" ||
  echo 'the JDBC driver cannot be installed here'
# A program is made again when its source is newer.
[ "$clients/go-client" -nt go/main.go ] ||
  (cd go && go build -o "../$clients/go-client" .) || echo 'the Go client cannot be installed here'
[ -d "$clients/npm/node_modules" ] ||
  npm install --no-save --no-package-lock --no-audit --no-fund --prefix "$clients/npm" @gizmodata/gizmosql-client >/dev/null ||
  echo 'the npm client cannot be installed here'
exit 0
