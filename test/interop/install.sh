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
# Most of its time is waiting, beside all the others.
(sh trino/install.sh >/dev/null 2>&1 || echo 'Trino cannot be unpacked here') &
sh tpcds/install.sh
sh schemathesis/install.sh
sh pgwire/install.sh
sh flight/install.sh
sh mcp/install.sh
sh ui/install.sh
if ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql) >/dev/null 2>&1 ||
      echo 'PostgreSQL cannot be installed here'
  else
    echo 'PostgreSQL is not installed, and only root of a Debian system can install it here'
  fi
fi
# Side by side: most of the time is spent on downloads.
for engine in mysql mariadb clickhouse snowflake databricks dremio datafusion; do
  (sh "$engine/install.sh" >/dev/null 2>&1 || echo "$engine cannot be unpacked here") &
done
wait
# After Spark, which one of its clients needs.
# It is built for minutes, once, where somebody asks for it: INTEROP_BUILD=1.
if [ -n "${INTEROP_BUILD:-}" ]; then
  sh bigquery/install.sh >/dev/null 2>&1 || echo 'googlesqlite cannot be built here'
fi
if ! command -v redis-server >/dev/null && ! command -v valkey-server >/dev/null; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends redis-server >/dev/null 2>&1 ||
      echo 'redis-server cannot be installed here'
  else
    echo 'redis-server is not installed, and only root of a Debian system can install it here'
  fi
fi
