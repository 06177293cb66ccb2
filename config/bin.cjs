#!/usr/bin/env node
const { whereTheUserIs, runsSources, runSources } = require('./sources.cjs')

whereTheUserIs()

if (runsSources()) runSources()
else {
  require('./threads.cjs')
  require('./garbage.cjs')
  require('./one-file.cjs')
    .runOneFile()
    .then((runs) => runs || runPackages())
}

function runPackages() {
  // Node 22.1 and newer can cache compiled code for the next start.
  require('node:module').enableCompileCache?.()
  return import('./bin.mjs')
}
