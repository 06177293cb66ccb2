// Makes the image of a fresh catalogue database for the Postgres wire, where there is none for its version: a server that begins with it
// is ready after 2 s of processor time in place of 10 s. `npm run build` and `npm test` call it; the package contains it.
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const folder = path.join(root, 'plugins/surface-pgwire')
const manifest = path.join(folder, 'package.json')
const { dependencies } = JSON.parse(await readFile(manifest, 'utf8'))
const image = path.join(folder, 'image', `catalogue-${dependencies['@electric-sql/pglite']}.tar.gz`)
if (!(await stat(image).catch(() => undefined))) await make()

async function make() {
  const { PGlite } = await import(pathToFileURL(createRequire(manifest).resolve('@electric-sql/pglite')).href)
  const database = await PGlite.create()
  const bytes = new Uint8Array(await (await database.dumpDataDir('gzip')).arrayBuffer())
  await database.close()
  await rm(path.dirname(image), { recursive: true, force: true })
  await mkdir(path.dirname(image), { recursive: true })
  // Whoever reads it finds all of it or nothing.
  await writeFile(`${image}.${process.pid}`, bytes)
  await rename(`${image}.${process.pid}`, image)
  console.log(`image of the catalogue made: ${bytes.length} bytes`)
}
