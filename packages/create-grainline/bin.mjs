#!/usr/bin/env node
import { createProject } from 'create-grainline'

process.exitCode = await createProject(process.argv.slice(2), process)
