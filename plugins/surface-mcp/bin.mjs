#!/usr/bin/env node
import { runMcp } from '@grainline/mcp/process'

process.exit(await runMcp(process.argv.slice(2)))
