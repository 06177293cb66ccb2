#!/bin/sh
# unpack.sh SUITE FOLDER PACKAGE… : Debian packages of a suite with every library that they need, unpacked into a folder of their own.
# Nothing is installed; what runs from there runs with the loader that is unpacked with it.
set -eu
suite=$1 root=$2
shift 2
apt=$root.apt
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$root"
: >"$apt/status"
# From wherever the packages of this system come.
mirror=$(cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null |
  sed -n 's/^URIs: *\([^ ]*\).*/\1/p; s/^deb  *\([^[][^ ]*\) .*/\1/p' | grep -v security | head -n 1)
echo "deb $mirror $suite main" >"$apt/sources.list"
own="-o Dir::Etc::sourcelist=$apt/sources.list -o Dir::Etc::sourceparts=/dev/null -o Dir::State=$apt -o Dir::State::lists=$apt/lists
  -o Dir::State::status=$apt/status -o Dir::Cache=$apt/cache -o APT::Sandbox::User=root -o Debug::NoLocking=1"
# shellcheck disable=SC2086
apt-get $own -qq update
# shellcheck disable=SC2086
apt-get $own -y -qq --no-install-recommends --download-only install "$@"
for deb in "$apt"/cache/archives/*.deb; do dpkg -x "$deb" "$root"; done
rm -rf "$apt"
