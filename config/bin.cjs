#!/usr/bin/env node
require('./threads.cjs')
import('./bin.mjs')
