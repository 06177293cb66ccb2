/** The image of a fresh catalogue database, which was made with the package for its version of PGlite. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

/** `undefined` where there is none, as in a checkout that was never built: a database is then made, which takes longer. */
export async function catalogImage(): Promise<Uint8Array | undefined> {
  const manifest = createRequire(import.meta.url).resolve('@grainline/surface-pgwire/package.json')
  const { dependencies }: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(
    await readFile(manifest, 'utf8'),
  )
  const image = path.join(path.dirname(manifest), 'image', `catalogue-${dependencies['@electric-sql/pglite']}-small.tar.gz`)
  return readFile(image).catch(() => undefined)
}
