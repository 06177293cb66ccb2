#!/bin/sh
# Clients of other engines, for the interop tests only: not a part of the workspaces, not in the lock.
set -eu
cd "$(dirname "$0")"
npm install --no-save --no-package-lock --no-audit --no-fund --prefix . pg@8
