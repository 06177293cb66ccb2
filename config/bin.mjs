// The distribution: the core's command line with the stock configuration beside this file. bin.cjs is how it is started.
import { fileURLToPath } from 'node:url'
import { runProcess } from '@grainline/core/cli'

await runProcess(fileURLToPath(new URL('./default.yaml', import.meta.url)))
