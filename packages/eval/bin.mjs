#!/usr/bin/env node
import { runEval } from '@grainline/eval'

process.exit(await runEval(process.argv.slice(2)))
