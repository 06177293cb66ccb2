/** Writes entries into a folder until it is killed. `node … cache-writer.ts FOLDER` prints a dot when it has started. */
import { fileStore } from '../../plugins/cache-file/src/file-store.js'
import { wholeValue } from './whole-value.js'

const store = await fileStore({ folder: process.argv[2]!, maxBytes: 1e9 })
process.stdout.write('.')
for (let i = 0; ; i++) await store.set(`key ${i % 20}`, wholeValue(i), 3600)
