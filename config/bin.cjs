#!/usr/bin/env node
const { whereTheUserIs, runsSources, runSources } = require('./sources.cjs')

whereTheUserIs()

if (runsSources()) runSources()
else {
  require('./threads.cjs')
  // Nodes that can (22.1 on) keep what they compiled for the next start.
  require('node:module').enableCompileCache?.()
  import('./bin.mjs')
}
