#!/bin/sh
# Clients of Arrow Flight SQL, each in a folder beside this file. One that cannot be installed here is named, and its test is skipped.
cd "$(dirname "$0")" || exit 1
clients=.clients
mkdir -p "$clients"
# The mark is made last: an installation that was interrupted is begun again.
[ -e "$clients/python/complete" ] || {
  python3 -m venv "$clients/python" &&
    "$clients/python/bin/pip" install -q pyarrow adbc-driver-flightsql adbc-driver-manager pandas polars duckdb &&
    touch "$clients/python/complete"
} || { rm -rf "$clients/python"; echo 'the Python clients cannot be installed here'; }
ls "$clients"/flight-sql-jdbc-driver-*.jar >/dev/null 2>&1 ||
  mvn -q dependency:copy -Dartifact=org.apache.arrow:flight-sql-jdbc-driver:18.3.0 -DoutputDirectory="$PWD/$clients" ||
  echo 'the JDBC driver cannot be installed here'
# A program is made again when its source is newer.
[ "$clients/JdbcClient.class" -nt JdbcClient.java ] || javac -d "$clients" JdbcClient.java || echo 'the Java client cannot be compiled here'
[ "$clients/go-client" -nt go/main.go ] ||
  (cd go && go build -o "../$clients/go-client" .) || echo 'the Go client cannot be installed here'
# It is built for minutes, once, where somebody asks for it: INTEROP_BUILD=1.
if [ ! -x "$clients/grpcurl" ] && [ -n "${INTEROP_BUILD:-}" ]; then
  GOBIN="$(cd "$clients" && pwd)" GOFLAGS=-mod=mod go install github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.3 ||
    echo 'grpcurl cannot be built here'
fi
spark="${GRAINLINE_ENGINES:-$HOME/.cache/grainline/engines}/databricks/jars"
if [ -e "$spark" ]; then
  [ "$clients/SparkClient.class" -nt SparkClient.java ] || javac -cp "$spark/*" -d "$clients" SparkClient.java ||
    echo 'the client of Spark cannot be compiled here'
else
  echo 'Spark is not installed here: run test/interop/databricks/install.sh first'
fi
[ -d "$clients/npm/node_modules" ] ||
  npm install --no-save --no-package-lock --no-audit --no-fund --prefix "$clients/npm" @gizmodata/gizmosql-client >/dev/null ||
  echo 'the npm client cannot be installed here'
echo 'no ODBC driver of Arrow Flight SQL is in a package registry, and airport of DuckDB is not either: they are not run'
exit 0
