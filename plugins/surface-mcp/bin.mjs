#!/usr/bin/env node
import { runMcp } from '@grainline/mcp/process'

await runMcp()
