/** Reads the image of a fresh catalogue database. It is built with the package, for one version of PGlite. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

/** `undefined` in a checkout that was never built. The database is then initialized at the start, which takes longer. */
export async function catalogImage(): Promise<Uint8Array | undefined> {
  const manifest = createRequire(import.meta.url).resolve('@grainline/surface-pgwire/package.json')
  const { dependencies }: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(
    await readFile(manifest, 'utf8'),
  )
  const image = path.join(path.dirname(manifest), 'image', `catalogue-${dependencies['@electric-sql/pglite']}-small.tar.gz`)
  return readFile(image).catch(() => undefined)
}
