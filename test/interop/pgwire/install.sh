#!/bin/sh
# Clients of other languages, each in a folder beside this file. One that cannot be installed here is named, and its test is skipped.
cd "$(dirname "$0")" || exit 1
clients=.clients
mkdir -p "$clients"
[ -x "$clients/python/bin/python" ] || {
  python3 -m venv "$clients/python" &&
    "$clients/python/bin/pip" install -q 'psycopg[binary]' asyncpg psycopg2-binary sqlalchemy pandas adbc-driver-postgresql pyarrow
} || { rm -rf "$clients/python"; echo 'the Python clients cannot be installed here'; }
[ -d ../node_modules/postgres ] ||
  npm install --no-save --no-package-lock --no-audit --no-fund --prefix .. pg@8 pg-cursor@2 postgres@3 || echo 'the Node clients cannot be installed here'
ls "$clients"/postgresql-*.jar >/dev/null 2>&1 ||
  mvn -q dependency:copy -Dartifact=org.postgresql:postgresql:42.7.4 -DoutputDirectory="$PWD/$clients" || echo 'pgJDBC cannot be installed here'
[ -x "$clients/go-client" ] ||
  (cd go && go mod tidy && go build -o "../$clients/go-client" .) || echo 'the Go clients cannot be installed here'
command -v psql >/dev/null || echo 'psql is not installed'
exit 0
