#!/bin/sh
# chDB, which is ClickHouse as a library, in a Python environment of its own; and the server of Debian, the only one in reach.
set -eu
engines=${GRAINLINE_ENGINES:-$HOME/.cache/grainline/engines}
root=$engines/clickhouse
if [ ! -f "$root/ready" ]; then
  rm -rf "$root"
  mkdir -p "$engines"
  python3 -m venv "$root"
  "$root/bin/pip" install -q --no-deps chdb==4.4.0 chdb-core==26.9.0
  touch "$root/ready"
fi
[ -x "$engines/clickhouse-server/usr/sbin/clickhouse-server" ] && exit 0
command -v apt-get >/dev/null || exit 1
sh "$(dirname "$0")/../unpack.sh" bookworm "$engines/clickhouse-server" clickhouse-server
