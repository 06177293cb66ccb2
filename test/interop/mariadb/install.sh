#!/bin/sh
# A real MariaDB server, unpacked from the packages of Debian 12.
set -eu
root=${GRAINLINE_ENGINES:-$HOME/.cache/grainline/engines}/mariadb
[ -x "$root/usr/sbin/mariadbd" ] && exit 0
command -v apt-get >/dev/null || exit 1
sh "$(dirname "$0")/../unpack.sh" bookworm "$root" mariadb-server mariadb-server-core
