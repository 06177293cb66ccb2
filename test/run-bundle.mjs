// node --import=./test/bundled.mjs test/run-bundle.mjs FILE GROUP: runs a test file as its bundle, under the name of the file.
import path from 'node:path'
import { pathToFileURL } from 'node:url'

process.argv.splice(1, 1)
process.argv[1] = path.resolve(process.argv[1])
// It loads tap, which takes the name of the program.
await import('./uncaught-errors.mjs')
await import(globalThis.bundleOf(pathToFileURL(process.argv[1]).href))
