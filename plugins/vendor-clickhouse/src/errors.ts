const LOST = /^(ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ERR_STREAM_PREMATURE_CLOSE)$/
/** Too many queries at once, a time-out or a fault of the network between servers: https://clickhouse.com/docs/operations/errors */
const TRANSIENT: readonly string[] = ['202', '209', '210', '279']

const partsOf = (error: unknown) =>
  (typeof error === 'object' && error !== null ? error : {}) as { readonly code?: unknown; readonly message?: unknown }

export const isTransient = (error: unknown): boolean => TRANSIENT.includes(String(partsOf(error).code)) || isLost(error)

/** The connection is gone. */
export const isLost = (error: unknown): boolean =>
  LOST.test(String(partsOf(error).code)) || /^(socket hang up|aborted|premature close)$/i.test(String(partsOf(error).message))

/** The engine's own message as one line. Where the connection is gone, in words of ours: the driver's hold addresses. */
export function engineMessage(error: unknown): string {
  if (isLost(error)) return 'The connection to the database was lost or refused'
  return String(partsOf(error).message ?? error)
    .replace(/\s*\n\s*/g, ' ')
    .trim()
}

/** What a server before 25.11 writes behind the rows when a statement fails on the way; later ones tell the driver. */
const WRITTEN = /^Code: (\d+)[.,] .*?DB::(?:\w*Exception): (.*)$/s

/** The fault that stands where a row should, where it does. */
export function writtenFault(line: string): Error | undefined {
  const [, code, message] = WRITTEN.exec(line) ?? []
  return code === undefined ? undefined : Object.assign(new Error(message), { code })
}
