#!/bin/sh
# Jupyter's kernel and client, which run the notebook of examples/notebook.
cd "$(dirname "$0")" || exit 1
[ -x .clients/python/bin/python ] || {
  python3 -m venv .clients/python && .clients/python/bin/pip install -q nbclient ipykernel 'psycopg[binary]' pandas matplotlib
} || { rm -rf .clients/python; echo 'Jupyter cannot be installed here'; }
exit 0
