/** The files of a folder, one per entry, within a number of bytes. */
import { randomUUID } from 'node:crypto'
import { mkdir, open as openFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Swept } from '@grainline/core'
import { HEAD_BYTES, readHead } from './entry-file.js'

const SUFFIX = '.entry'
const UNFINISHED = '.part'
/** After this time the process of an unfinished write is assumed to be dead. */
const ABANDONED_MS = 600_000

interface Known {
  readonly bytes: number
  usedAt: number
}

export interface EntryFolderOptions {
  readonly folder: string
  readonly maxBytes: number
  readonly now: () => number
  /** Runs when the folder was deleted while the store was open, and has been created again. */
  readonly recreated?: (() => Promise<void>) | undefined
}

export class EntryFolder {
  readonly #known = new Map<string, Known>()
  #total = 0
  /** Bytes of writes that have not ended. */
  #coming = 0

  private constructor(private readonly options: EntryFolderOptions) {}

  /** Rejects when the folder cannot be made or read. */
  static async open(options: EntryFolderOptions): Promise<EntryFolder> {
    await mkdir(options.folder, { recursive: true, mode: 0o700 })
    const folder = new EntryFolder(options)
    await folder.#removeAbandoned()
    await folder.#survey()
    return folder
  }

  static nameOf(digest: string): string {
    return digest + SUFFIX
  }

  fileOf(name: string): string {
    return path.join(this.options.folder, name.slice(0, 2), name)
  }

  /** The entries in the folder now, also those of other processes. */
  names(): Promise<readonly string[]> {
    return namesIn(this.options.folder, SUFFIX)
  }

  /** Notes that an entry was read now. */
  use(name: string, bytes: number): void {
    const usedAt = this.options.now()
    const entry = this.#known.get(name)
    if (entry) entry.usedAt = usedAt
    else this.#learn(name, { bytes, usedAt })
  }

  async remove(name: string): Promise<boolean> {
    const bytes = this.#known.get(name)?.bytes ?? 0
    this.#known.delete(name)
    try {
      return await removed(this.fileOf(name))
    } finally {
      // Its space is free only when the file is gone.
      this.#total -= bytes
    }
  }

  /** Writes an entry with reserved space; nothing if it is larger than the space there is. */
  async write(name: string, bytes: Buffer): Promise<void> {
    if (bytes.length > this.options.maxBytes - this.#coming) return
    this.#coming += bytes.length
    try {
      await this.#makeRoom()
      // A folder that is deleted while its file is written is created a second time.
      const place = () => writeWhole(this.fileOf(name), bytes, this.options.recreated)
      await place().catch((error) => (error.code === 'ENOENT' ? place() : Promise.reject(error)))
      this.#learn(name, { bytes: bytes.length, usedAt: this.options.now() })
    } finally {
      this.#coming -= bytes.length
    }
  }

  async headOf(name: string) {
    const file = await openFile(this.fileOf(name)).catch(() => undefined)
    if (!file) return undefined
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
      return readHead(buffer.subarray(0, bytesRead), (await file.stat()).size)
    } finally {
      await file.close()
    }
  }

  /** Removes what has expired, and then the least recently used entries until the others fit. */
  async sweep(): Promise<Swept> {
    await this.#survey()
    let expired = 0
    for (const name of [...this.#known.keys()]) {
      const head = await this.headOf(name)
      // Nobody can read a file that is damaged, or that another program made.
      if ((!head || head.expiresAt <= this.options.now()) && (await this.remove(name))) expired += 1
    }
    await this.#removeAbandoned()
    return { expired, evicted: await this.#makeRoom() }
  }

  #forget(name: string): void {
    this.#total -= this.#known.get(name)?.bytes ?? 0
    this.#known.delete(name)
  }

  #learn(name: string, entry: Known): void {
    this.#forget(name)
    this.#known.set(name, entry)
    this.#total += entry.bytes
  }

  /** Removes the least recently used entries until the new one fits. */
  async #makeRoom(): Promise<number> {
    const isFull = (): boolean => this.#total + this.#coming > this.options.maxBytes
    if (!isFull()) return 0
    let evicted = 0
    const byAge = [...this.#known].toSorted(([, a], [, b]) => a.usedAt - b.usedAt)
    for (const [name] of byAge) {
      if (!isFull()) break
      if (await this.remove(name)) evicted += 1
    }
    return evicted
  }

  /** The files in the folder now, including the entries of other processes. */
  async #survey(): Promise<void> {
    for (const name of [...this.#known.keys()]) this.#forget(name)
    for (const name of await this.names()) {
      const found = await stat(this.fileOf(name)).catch(() => undefined)
      if (found) this.#learn(name, { bytes: found.size, usedAt: found.mtimeMs })
    }
  }

  async #removeAbandoned(): Promise<void> {
    for (const name of await namesIn(this.options.folder, UNFINISHED)) {
      const found = await stat(this.fileOf(name)).catch(() => undefined)
      if (found && this.options.now() - found.mtimeMs > ABANDONED_MS) await rm(this.fileOf(name), { force: true })
    }
  }
}

/** False if there was none. */
const removed = (file: string): Promise<boolean> =>
  rm(file).then(
    () => true,
    (error) => (error.code === 'ENOENT' ? false : Promise.reject(error)),
  )

/** The file appears when it is complete. */
async function writeWhole(file: string, bytes: Buffer, recreated: EntryFolderOptions['recreated']): Promise<void> {
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

async function namesIn(folder: string, suffix: string): Promise<string[]> {
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
