#!/bin/sh
# A real MySQL server, unpacked from Debian's newest packages; stable Debian has MariaDB alone.
set -eu
root=${GRAINLINE_ENGINES:-$HOME/.cache/grainline/engines}/mysql
[ -x "$root/usr/sbin/mysqld" ] && exit 0
command -v apt-get >/dev/null || exit 1
sh "$(dirname "$0")/../unpack.sh" sid "$root" mysql-server-core
