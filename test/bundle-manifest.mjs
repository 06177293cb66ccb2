// Where the bundles of the tests are, and what tells whether they are those of the sources as they are now.
import { statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

export const BUNDLE = path.join(root, 'node_modules/.cache/grainline/tests')
export const MANIFEST = 'manifest.json'

/** Changes whenever the file is written; empty where there is none. */
export function stampOf(file) {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.mtimeMs}:${stat.size}`
}
