import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from '@grainline/core'

/** A database file that is open. */
export interface OpenedFile {
  readonly database: string
  readonly readOnly: boolean
}

/** A database file as it was when it was opened. */
export interface WatchedFile {
  /** What happened to the file since then; `undefined` if it is the same. */
  changed(): Promise<string | undefined>
  /** No further warning is logged. */
  forget(): void
}

/** How often the file is compared, in milliseconds. */
const EVERY_MS = 5000

/** Warns once in the log if the file is replaced, changed or deleted: an engine that holds a file open does not notice. Call this before opening. */
export async function watchFile({ database, readOnly }: OpenedFile, logger: Logger): Promise<WatchedFile> {
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
