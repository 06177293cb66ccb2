#!/bin/sh
# schemathesis, a Python program, in an environment of its own.
set -eu
cd "$(dirname "$0")"
target=../node_modules/.schemathesis
[ -x "$target/bin/schemathesis" ] && exit 0
rm -rf "$target"
if ! (python3 -m venv "$target" && "$target/bin/pip" install -q 'schemathesis>=4.32,<5') >/dev/null 2>&1; then
  rm -rf "$target"
  echo 'schemathesis cannot be installed here'
fi
