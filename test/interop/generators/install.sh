#!/bin/sh
# Two generators of clients, each in a folder of its own.
set -eu
cd "$(dirname "$0")"
python=../node_modules/.generators
if [ ! -x "$python/bin/openapi-python-client" ]; then
  rm -rf "$python"
  if ! (python3 -m venv "$python" && "$python/bin/pip" install -q 'openapi-python-client>=0.26,<1' ruff) >/dev/null 2>&1; then
    rm -rf "$python"
    echo 'openapi-python-client cannot be installed here'
  fi
fi
[ -d .clients/node_modules/openapi-typescript ] ||
  npm install --no-save --no-package-lock --no-audit --no-fund --prefix .clients openapi-typescript@7 typescript@5 >/dev/null 2>&1 ||
  echo 'openapi-typescript cannot be installed here'
