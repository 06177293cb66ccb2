#!/bin/sh
# What the interop tests need beside the workspaces: clients, which are not in the lock, and real engines. An engine that cannot be
# installed here is no failure: its tests say so and are skipped.
set -eu
cd "$(dirname "$0")"
# In one call: a second one would take away what the first has brought, since nothing is saved.
install_clients() {
  npm install --no-save --no-package-lock --no-audit --no-fund --prefix . "$@" \
    pg@8 pg-cursor@2 postgres@3 snowflake-sdk@3 @google-cloud/bigquery@8 @databricks/sql@2
}
# What npm has kept of a registry may be older than the package that asks for it, so that a version seems to be missing: it looks again.
[ -d node_modules/@databricks/sql ] && [ -d node_modules/postgres ] ||
  install_clients || install_clients --prefer-online || echo 'the Node clients cannot be installed here'
# apt_get NAME PACKAGE… — where nothing else may install it.
apt_get() {
  name=$1
  shift
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "$name is not installed, and only root of a Debian system can install it here"
  elif ! DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null 2>&1; then
    echo "$name cannot be installed here"
  fi
}
# One after the other, for apt is locked by one of them.
from_debian() {
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get update -qq >/dev/null 2>&1 || true; fi
  ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || apt_get PostgreSQL postgresql
  command -v redis-server >/dev/null || command -v valkey-server >/dev/null || apt_get redis-server --no-install-recommends redis-server
  sh ui/install.sh
}
# Side by side: most of the time is spent on downloads.
for engine in trino databricks mysql mariadb clickhouse snowflake dremio datafusion; do
  (sh "$engine/install.sh" >/dev/null 2>&1 || echo "$engine cannot be unpacked here") &
done
from_debian &
for clients in tpcds schemathesis generators pgwire mcp odata notebook; do sh "$clients/install.sh" || echo "the clients of $clients cannot be installed here"; done
wait
# After Spark, which one of its clients needs.
sh flight/install.sh || echo "the clients of Flight SQL cannot be installed here"
# It is built for minutes, once, where somebody asks for it: INTEROP_BUILD=1.
if [ -n "${INTEROP_BUILD:-}" ]; then
  sh bigquery/install.sh >/dev/null 2>&1 || echo 'googlesqlite cannot be built here'
fi
