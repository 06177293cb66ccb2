/**
 * A store of one file per entry. A file gets its name when it is completely written, so that a process that dies leaves a whole
 * file or none; other files are ignored.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open as openFile, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { CacheStore, Swept } from '@grainline/core'
import { encodeFile, HEAD_BYTES, readHead, readValue } from './entry-file.js'

const SUFFIX = '.entry'
const UNFINISHED = '.part'
/** After this time the process of an unfinished write is assumed to be dead. */
const ABANDONED_MS = 600_000

interface Known {
  readonly bytes: number
  usedAt: number
}

export interface FileStoreOptions {
  readonly folder: string
  readonly maxBytes: number
  readonly now?: () => number
  /** Runs when the folder was deleted while the store was open, and has been created again. */
  readonly recreated?: () => Promise<void>
}

/** Rejects when the folder cannot be made or read. */
export async function fileStore({ folder, maxBytes, now = Date.now, recreated }: FileStoreOptions): Promise<CacheStore> {
  const known = new Map<string, Known>()
  let total = 0
  /** Bytes of writes that have not ended. */
  let coming = 0

  function forget(name: string): void {
    total -= known.get(name)?.bytes ?? 0
    known.delete(name)
  }

  function learn(name: string, entry: Known): void {
    forget(name)
    known.set(name, entry)
    total += entry.bytes
  }

  async function remove(name: string): Promise<boolean> {
    const bytes = known.get(name)?.bytes ?? 0
    known.delete(name)
    // Its space is free only when the file is gone.
    return removed(fileOf(name)).finally(() => (total -= bytes))
  }

  /** Removes the least recently used entries until the new one fits. */
  async function makeRoom(): Promise<number> {
    if (total + coming <= maxBytes) return 0
    let evicted = 0
    const byAge = [...known].toSorted(([, a], [, b]) => a.usedAt - b.usedAt)
    for (const [name] of byAge) {
      if (total + coming <= maxBytes) break
      if (await remove(name)) evicted += 1
    }
    return evicted
  }

  const fileOf = (name: string): string => path.join(folder, name.slice(0, 2), name)

  /** The files in the folder now, including the entries of other processes. */
  async function survey(): Promise<void> {
    for (const name of [...known.keys()]) forget(name)
    for (const name of await names(folder, SUFFIX)) {
      const found = await stat(fileOf(name)).catch(() => undefined)
      if (found) learn(name, { bytes: found.size, usedAt: found.mtimeMs })
    }
  }

  async function headOf(name: string) {
    const file = await openFile(fileOf(name)).catch(() => undefined)
    if (!file) return undefined
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
      return readHead(buffer.subarray(0, bytesRead), (await file.stat()).size)
    } finally {
      await file.close()
    }
  }

  async function sweep(): Promise<Swept> {
    await survey()
    let expired = 0
    for (const name of [...known.keys()]) {
      const head = await headOf(name)
      // A file that is none of ours, or damaged, is of no use to anybody.
      if ((!head || head.expiresAt <= now()) && (await remove(name))) expired += 1
    }
    await removeAbandoned()
    return { expired, evicted: await makeRoom() }
  }

  async function removeAbandoned(): Promise<void> {
    for (const name of await names(folder, UNFINISHED)) {
      const found = await stat(fileOf(name)).catch(() => undefined)
      if (found && now() - found.mtimeMs > ABANDONED_MS) await rm(fileOf(name), { force: true })
    }
  }

  /** Writes an entry with reserved space. */
  async function write(name: string, bytes: Buffer): Promise<void> {
    await makeRoom()
    // A folder that is deleted while its file is written is created a second time.
    const place = () => writeWhole(fileOf(name), bytes, recreated)
    await place().catch((error) => (error.code === 'ENOENT' ? place() : Promise.reject(error)))
    learn(name, { bytes: bytes.length, usedAt: now() })
  }

  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeAbandoned()
  await survey()

  return {
    async get(key) {
      const name = nameOf(key)
      const bytes = await readFile(fileOf(name)).catch((error) => (error.code === 'ENOENT' ? undefined : Promise.reject(error)))
      const found = bytes && readValue(bytes, key)
      if (!found || found.expiresAt <= now()) {
        if (bytes) await remove(name)
        return undefined
      }
      const entry = known.get(name)
      if (entry) entry.usedAt = now()
      else learn(name, { bytes: bytes.length, usedAt: now() })
      return found.value
    },
    async set(key, value, ttlSeconds) {
      const bytes = encodeFile(key, value, now() + ttlSeconds * 1000)
      if (bytes.length > maxBytes - coming) return
      coming += bytes.length
      try {
        await write(nameOf(key), bytes)
      } finally {
        coming -= bytes.length
      }
    },
    async deleteMany(keys) {
      let deleted = 0
      for (const key of keys) if (await remove(nameOf(key))) deleted += 1
      return deleted
    },
    async *entries() {
      for (const name of await names(folder, SUFFIX)) {
        const head = await headOf(name)
        if (!head || head.expiresAt <= now()) continue
        const found = await stat(fileOf(name)).catch(() => undefined)
        if (found) yield { key: head.key, bytes: found.size, expiresAt: head.expiresAt, storedAt: found.mtimeMs }
      }
    },
    sweep,
    close: async () => {},
  }
}

/** False if there was none. */
const removed = (file: string): Promise<boolean> =>
  rm(file).then(
    () => true,
    (error) => (error.code === 'ENOENT' ? false : Promise.reject(error)),
  )

/** The file appears when it is complete. */
async function writeWhole(file: string, bytes: Buffer, recreated: FileStoreOptions['recreated']): Promise<void> {
  const shelf = path.dirname(file)
  const made = await mkdir(shelf, { recursive: true, mode: 0o700 })
  if (made !== undefined && made !== shelf) await recreated?.()
  const part = `${file}.${randomUUID()}${UNFINISHED}`
  try {
    await writeFile(part, bytes, { mode: 0o600 })
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    throw error
  }
}

const nameOf = (key: string): string => createHash('sha256').update(key).digest('hex') + SUFFIX

async function names(folder: string, suffix: string): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch(noneIfDeleted)
  const shelves = found.filter((entry) => entry.isDirectory() && entry.name.length === 2)
  const files = await Promise.all(shelves.map(({ name }) => readdir(path.join(folder, name)).catch(() => [])))
  return files.flat().filter((name) => name.endsWith(suffix))
}

/** A folder that was deleted while the store was open has no entries. The next write creates it. */
function noneIfDeleted(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}
