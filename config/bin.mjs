// The distribution: the core's command line with the stock configuration beside this file. bin.cjs is how it is started.
import './garbage.cjs'
import { fileURLToPath } from 'node:url'
import { runProcess } from '@grainline/core/cli'
import { commands } from './commands.mjs'

const defaultConfig = fileURLToPath(new URL('./default.yaml', import.meta.url))

await runProcess(defaultConfig, commands(defaultConfig))
