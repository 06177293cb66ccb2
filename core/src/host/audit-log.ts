import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { fail } from '../errors.js'
import { messageOf } from '../invariant.js'
import type { Logger } from '../logger.js'
import type { QueryObserver } from '../service/asking.js'

export interface AuditLog {
  readonly observe: QueryObserver
  /** Continues in a new file of the same name, after the old one was moved away. Rejects when the file cannot be created. */
  reopen(): Promise<void>
  close(): Promise<void>
}

export interface AuditOptions {
  readonly file: string
  readonly logger: Logger
  readonly now: () => Date
  /** The name of a session in the log. */
  readonly nameOfSession: (id: string) => string
}

/** One line of JSON per query, appended to `file`. Rejects with `INVALID_VARIABLE` when it cannot be written. */
export async function openAuditLog({ file, logger, now, nameOfSession }: AuditOptions): Promise<AuditLog> {
  let stream = await open(file, logger)
  return {
    observe({ asker, sessionId, modelId, milliseconds, ...question }) {
      const { id, name, sender } = asker?.principal ?? {}
      const by = sender === undefined ? { principal: id } : { principal: sender, on_behalf_of: name }
      const who = { ...by, surface: asker?.surface, request_id: asker?.requestId }
      const where = { session_id: sessionId === undefined ? undefined : nameOfSession(sessionId), model_id: modelId }
      const took = Math.round(milliseconds * 100) / 100
      stream.write(`${JSON.stringify({ time: now().toISOString(), ...who, ...where, ...question, milliseconds: took })}\n`)
    },
    async reopen() {
      const old = stream
      stream = await open(file, logger)
      old.end()
    },
    async close() {
      stream.end()
      await finished(stream)
    },
  }
}

async function open(file: string, logger: Logger): Promise<WriteStream> {
  const stream = createWriteStream(file, { flags: 'a', mode: 0o600 })
  try {
    await once(stream, 'open')
  } catch (cause) {
    fail('INVALID_VARIABLE', `AUDIT_FILE cannot be written: ${messageOf(cause)}`, { path: 'AUDIT_FILE', cause })
  }
  // Queries are still answered; the log says that lines are missing.
  stream.on('error', (err) => logger.error({ err }, 'A question could not be written to AUDIT_FILE'))
  return stream
}
