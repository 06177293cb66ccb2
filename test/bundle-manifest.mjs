// The location of the bundled tests, and the fingerprint that tells whether they match the current sources.
import { statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/** scripts/branches.mjs has bundles of its own. */
export const BUNDLE = process.env.TEST_BUNDLES ?? path.join(root, 'node_modules/.cache/grainline/tests')
export const MANIFEST = 'manifest.json'
export const IMPORTS = 'imports.json'

/** Changes whenever the file is written; empty if there is no file. */
export function stampOf(file) {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.mtimeMs}:${stat.size}`
}
