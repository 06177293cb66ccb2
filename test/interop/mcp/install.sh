#!/bin/sh
# Clients of MCP, each in a folder beside this file. One that cannot be installed here is named, and its test is skipped.
cd "$(dirname "$0")" || exit 1
clients=.clients
mkdir -p "$clients"
[ -x "$clients/python/bin/python" ] || {
  python3 -m venv "$clients/python" && "$clients/python/bin/pip" install -q mcp
} || { rm -rf "$clients/python"; echo 'the Python client of MCP cannot be installed here'; }
[ -d "$clients/npm/node_modules" ] ||
  npm install --no-save --no-package-lock --no-audit --no-fund --prefix "$clients/npm" @modelcontextprotocol/inspector >/dev/null ||
  echo 'the MCP Inspector cannot be installed here'
exit 0
