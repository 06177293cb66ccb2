#!/usr/bin/env node
// The distribution: the core's command line with the stock configuration beside this file.
import { fileURLToPath } from 'node:url'
import { runProcess } from '@grainline/core/cli'

await runProcess(fileURLToPath(new URL('./default.yaml', import.meta.url)))
