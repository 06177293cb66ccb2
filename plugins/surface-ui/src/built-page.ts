import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The page as built by `web/build.mjs`. */
export interface BuiltPage {
  /** `index.html` with placeholders for the nonce and the base. Without a build it is a page that explains how to build it. */
  readonly html: string
  readonly assets: ReadonlyMap<string, Asset>
}

export interface Asset {
  readonly type: string
  readonly etag: string
  readonly bytes: Buffer
  readonly gzip?: Buffer
  readonly brotli?: Buffer
}

const FOLDER = fileURLToPath(new URL('../web/dist/', import.meta.url))
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Reads all files of the page into memory, because they are few. */
export async function builtPage(folder = FOLDER): Promise<BuiltPage> {
  const html = await readFile(path.join(folder, 'index.html'), 'utf8').catch(() => undefined)
  if (html === undefined) return { html: NOT_BUILT, assets: new Map() }
  const names = (await readdir(path.join(folder, 'assets'))).filter((name) => TYPES[path.extname(name)] !== undefined)
  const assets = await Promise.all(names.map(async (name) => [name, await assetOf(path.join(folder, 'assets', name))] as const))
  return { html, assets: new Map(assets) }
}

async function assetOf(file: string): Promise<Asset> {
  const optional = (name: string) => readFile(name).catch(() => undefined)
  const [bytes, gzip, brotli] = await Promise.all([readFile(file), optional(`${file}.gz`), optional(`${file}.br`)])
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  return { type: TYPES[path.extname(file)]!, etag, bytes, ...(gzip && { gzip }), ...(brotli && { brotli }) }
}

const NOT_BUILT = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Grainline</title></head>
<body><h1>The page is not built</h1><p>Run <code>npm run page</code> in the checkout, and start the server again. The API at <code>/v1</code> works without it.</p></body></html>`
