import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

const BYTES = 32
const NAME = 'cache.key'

/** The secret in the folder, created if there is none. Every process that opens the folder gets the same one. */
export async function secretOf(folder: string): Promise<Uint8Array> {
  const file = path.join(folder, NAME)
  const known = await readFile(file).catch(() => undefined)
  if (known?.length === BYTES) return known
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await storeSecret(folder, randomBytes(BYTES))
  const secret = await readFile(file)
  if (secret.length !== BYTES) throw new Error(`${file} is damaged; delete it together with the folder`)
  return secret
}

/** Writes the secret into the folder, unless there is one. */
export async function storeSecret(folder: string, secret: Uint8Array): Promise<void> {
  const file = path.join(folder, NAME)
  const part = `${file}.${randomUUID()}.part`
  try {
    await writeFile(part, secret, { mode: 0o600 })
    await linkUnlessThere(part, file)
  } finally {
    // Also if the disk is full: otherwise each try would leave a temporary file.
    await rm(part, { force: true }).catch(() => {})
  }
}

/** A link appears with all of its content, and only one of several processes that start at once makes it; the others read that one's. */
async function linkUnlessThere(part: string, file: string): Promise<void> {
  await link(part, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}
