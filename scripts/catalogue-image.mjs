// Creates the image of a new catalogue database for the Postgres wire, unless it exists. A server that starts with it does
// not create one. It only contains what one reader needs: small buffers, a short log, and no files of the template databases, which remain
// listed and accept no connections. `npm ci`, `npm run build` and `npm test` call it; the package contains it.
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'

/** Bytes of a block of a tar archive. */
const BLOCK = 512
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const folder = path.join(root, 'plugins/surface-pgwire')
const manifest = path.join(folder, 'package.json')
const { dependencies } = JSON.parse(await readFile(manifest, 'utf8'))
const image = path.join(folder, 'image', `catalogue-${dependencies['@electric-sql/pglite']}-small.tar.gz`)
if (!(await stat(image).catch(() => undefined))) await make()

async function make() {
  const { PGlite } = await import(pathToFileURL(createRequire(manifest).resolve('@electric-sql/pglite')).href)
  const database = await PGlite.create({
    initDbStartParams: ['--wal-segsize=1'],
    postgresqlconf: ['shared_buffers = 8MB', 'min_wal_size = 2MB', 'max_wal_size = 4MB'],
  })
  const whole = Buffer.from(await (await database.dumpDataDir('none')).arrayBuffer())
  await database.close()
  const bytes = gzipSync(withoutTemplates(whole))
  await rm(path.dirname(image), { recursive: true, force: true })
  await mkdir(path.dirname(image), { recursive: true })
  // A reader finds the complete file or none.
  await writeFile(`${image}.${process.pid}`, bytes)
  await rename(`${image}.${process.pid}`, image)
  console.log(`image of the catalogue created: ${bytes.length} bytes`)
}

/** A tar archive without the files of `template1` and `template0`, which have these numbers (PostgreSQL, `pg_database.dat`). */
function withoutTemplates(tar) {
  const kept = []
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const name = textAt(tar, at, 100)
    const blocks = Math.ceil((Number.parseInt(textAt(tar, at + 124, 12), 8) || 0) / BLOCK)
    const end = at + BLOCK * (1 + blocks)
    if (!/\/base\/[14]\/./.test(name)) kept.push(tar.subarray(at, end))
    at = end
  }
  return Buffer.concat(kept)
}

function textAt(bytes, at, length) {
  const [text] = bytes.toString('latin1', at, at + length).split('\0')
  return text.trim()
}
