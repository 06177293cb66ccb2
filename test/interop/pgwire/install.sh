#!/bin/sh
# Clients of other languages, each in a folder beside this file. One that cannot be installed here is named, and its test is skipped.
cd "$(dirname "$0")" || exit 1
clients=.clients
mkdir -p "$clients"
[ -x "$clients/python/bin/python" ] || {
  python3 -m venv "$clients/python" &&
    "$clients/python/bin/pip" install -q 'psycopg[binary]' asyncpg psycopg2-binary sqlalchemy pandas adbc-driver-postgresql pyarrow
} || { rm -rf "$clients/python"; echo 'the Python clients cannot be installed here'; }
ls "$clients"/postgresql-*.jar >/dev/null 2>&1 ||
  mvn -q dependency:copy -Dartifact=org.postgresql:postgresql:42.7.4 -DoutputDirectory="$PWD/$clients" || echo 'pgJDBC cannot be installed here'
# A program is made again when its source is newer.
[ "$clients/go-client" -nt go/main.go ] ||
  (cd go && go build -o "../$clients/go-client" .) || echo 'the Go clients cannot be installed here'
[ "$clients/rust-client" -nt rust/src/main.rs ] ||
  (cd rust && CARGO_TARGET_DIR="../$clients/rust" cargo build -q && cp "../$clients/rust/debug/rust-client" "../$clients/") ||
  echo 'tokio-postgres cannot be installed here'
# ODBC: the driver and its manager are packages of the system, pyodbc speaks to the manager.
[ -e /usr/share/psqlodbc/odbcinst.ini.template ] || {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends odbc-postgresql unixodbc >/dev/null 2>&1
} || echo 'psqlodbc is not installed, and only root of a Debian system can install it here'
[ -d "$clients/odbc" ] || { python3 -m venv "$clients/odbc" && "$clients/odbc/bin/pip" install -q pyodbc; } ||
  { rm -rf "$clients/odbc"; echo 'pyodbc cannot be installed here'; }
# DuckDB and its extension are of one version, or the extension is not loaded.
[ -d "$clients/duckdb" ] || {
  python3 -m venv "$clients/duckdb" && "$clients/duckdb/bin/pip" install -q duckdb==1.5.5 duckdb-extension-postgres-scanner==1.5.5
} || { rm -rf "$clients/duckdb"; echo 'DuckDB with its postgres extension cannot be installed here'; }
command -v psql >/dev/null || echo 'psql is not installed'
exit 0
