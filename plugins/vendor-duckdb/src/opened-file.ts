import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from '@grainline/core'

/** A database file as it was when it was opened. */
export interface OpenedFile {
  /** What happened to the file since then; `undefined` if it is the same. */
  changed(): Promise<string | undefined>
  /** No further warning is logged. */
  forget(): void
}

interface Opened {
  /** `undefined` is in memory. */
  readonly database: string | undefined
  readonly readOnly: boolean
}

/** How often the file is compared, in milliseconds. */
const EVERY_MS = 5000

/** Warns once in the log if the file is replaced, changed or deleted: an engine that holds a file open does not notice. Call this before opening. */
export async function watchFile({ database, readOnly }: Opened, logger: Logger): Promise<OpenedFile> {
  if (database === undefined) return { changed: async () => undefined, forget: () => undefined }
  const before = await markOf(database, readOnly)
  let warned = false
  const changed = async () => {
    const now = await markOf(database, readOnly)
    if (now === before) return undefined
    const what = now === undefined ? 'deleted' : 'replaced or changed'
    const message = `The database file ${path.basename(database)} was ${what} after it was opened, and answers show what it was before`
    if (!warned)
      logger.warn({ database }, `${message}. ${now === undefined ? 'Restore it, and send' : 'Send'} SIGHUP to open it again.`)
    warned = true
    return message
  }
  const timer = setInterval(() => void changed(), EVERY_MS).unref()
  return { changed, forget: () => clearInterval(timer) }
}

/** A file that this process may write changes by its own work. */
async function markOf(file: string, readOnly: boolean): Promise<string | undefined> {
  const found = await stat(file, { bigint: true }).catch(() => undefined)
  return found && [found.dev, found.ino, ...(readOnly ? [found.size, found.mtimeNs] : [])].join()
}
