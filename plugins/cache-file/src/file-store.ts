/**
 * A store of one file per entry. A file gets its name when it is completely written, so that a process that dies leaves a whole
 * file or none; other files are ignored.
 */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { CacheStore } from '@grainline/core'
import { encodeFile, readValue } from './entry-file.js'
import { EntryFolder, type EntryFolderOptions } from './entry-folder.js'

export type FileStoreOptions = Omit<EntryFolderOptions, 'now'> & { readonly now?: () => number }

/** Rejects when the folder cannot be made or read. */
export async function fileStore({ now = Date.now, ...options }: FileStoreOptions): Promise<CacheStore> {
  const entries = await EntryFolder.open({ ...options, now })
  return {
    async get(key) {
      const name = nameOf(key)
      const bytes = await readFile(entries.fileOf(name)).catch((error) =>
        error.code === 'ENOENT' ? undefined : Promise.reject(error),
      )
      const found = bytes && readValue(bytes, key)
      if (!found || found.expiresAt <= now()) {
        if (bytes) await entries.remove(name)
        return undefined
      }
      entries.use(name, bytes.length)
      return found.value
    },
    set: (key, value, ttlSeconds) => entries.write(nameOf(key), encodeFile(key, value, now() + ttlSeconds * 1000)),
    async deleteMany(keys) {
      let deleted = 0
      for (const key of keys) if (await entries.remove(nameOf(key))) deleted += 1
      return deleted
    },
    async *entries() {
      for (const name of await entries.names()) {
        const head = await entries.headOf(name)
        if (!head || head.expiresAt <= now()) continue
        const found = await stat(entries.fileOf(name)).catch(() => undefined)
        if (found) yield { key: head.key, bytes: found.size, expiresAt: head.expiresAt, storedAt: found.mtimeMs }
      }
    },
    sweep: () => entries.sweep(),
    close: async () => {},
  }
}

const nameOf = (key: string): string => EntryFolder.nameOf(createHash('sha256').update(key).digest('hex'))
