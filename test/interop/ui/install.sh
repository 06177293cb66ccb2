#!/bin/sh
# A browser and what drives it. Where it cannot be installed, the test says so and is skipped.
cd "$(dirname "$0")" || exit 1
[ -d .clients/node_modules/playwright-core ] && [ -d .clients/node_modules/axe-core ] || {
  mkdir -p .clients && npm install --prefix .clients --no-save --no-audit --no-fund playwright-core@1 axe-core@4 >/dev/null 2>&1
} || echo 'playwright-core cannot be installed here'
command -v chromium >/dev/null || {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null 2>&1
} || echo 'Chromium is not installed, and only root of a Debian system can install it here'
exit 0
