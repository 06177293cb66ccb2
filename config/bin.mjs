// The distribution: the command line of the core with the stock configuration next to this file. bin.cjs starts it.
import './garbage.cjs'
import { fileURLToPath } from 'node:url'
import { runProcess } from '@grainline/core/cli'
import { commands } from './commands.mjs'

const defaultConfig = fileURLToPath(new URL('./default.yaml', import.meta.url))

const isInstalled = (name) => {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}

await runProcess(defaultConfig, commands(defaultConfig, isInstalled))
