/** Classes and codes after which a statement is worth another try: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const TRANSIENT = /^(08|40001$|40P01$|53300$|57P0[1-3]$)/
const LOST = /^(ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|ENOENT)$/

const codeOf = (error: unknown): string => String((error as { readonly code?: unknown } | undefined)?.code ?? '')

export function isTransient(error: unknown): boolean {
  return TRANSIENT.test(codeOf(error)) || isLost(error)
}

/** The connection is gone: the database ended it, or what the driver says has no code of the database. */
export const isLost = (error: unknown): boolean =>
  /^57P0[1-3]$/.test(codeOf(error)) ||
  LOST.test(codeOf(error)) ||
  (error instanceof Error && /^(Connection terminated|Client has encountered a connection error)/.test(error.message))

/** The engine's own message as one line. Where the connection is gone, in words of ours: the driver's hold addresses. */
export function engineMessage(error: unknown): string {
  if (isLost(error)) return 'The connection to the database was lost or refused'
  const { message = String(error), detail, hint } = error as { message?: string; detail?: string; hint?: string }
  return [message, detail, hint]
    .filter((part) => part !== undefined && part !== '')
    .join('; ')
    .replace(/\s*\n\s*/g, ' ')
}
