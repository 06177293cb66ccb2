import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Below it the packages of the repository are found by their names. */
const WITHIN = path.resolve(import.meta.dirname, '../../node_modules/.cache/grainline')

/** A folder of a test file with these texts by their paths, removed when its tests have ended. Test files that share a process share the folder of `t.testdir`. */
export function ownFolder(
  t: { teardown(end: () => void): void },
  texts: Readonly<Record<string, string>> = {},
  place = tmpdir(),
): string {
  const folder = mkdtempSync(path.join(place, 'grainline-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  return folder
}

/** The same within the repository. */
export const ownFolderWithin: typeof ownFolder = (t, texts) => ownFolder(t, texts, WITHIN)
