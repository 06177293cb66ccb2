import type { ApiError } from '@grainline/client'
import { GrainlineError } from '../errors.js'
import { codeOf, messageOf } from '../invariant.js'
import { type CommandIo, UsageError } from './command.js'
import { Interrupted } from './interrupts.js'

/** Writes to the standard error why a command failed, and returns its exit code. */
export function report(error: unknown, { stderr }: CommandIo): number {
  if (error instanceof Interrupted) {
    stderr.write('Interrupted\n')
    return 130
  }
  if (error instanceof UsageError || codeOf(error)?.startsWith('ERR_PARSE_ARGS_')) {
    stderr.write(`${sentence(messageOf(error))} (grainline --help shows every command)\n`)
    return 2
  }
  const refusal = refusalOf(error)
  if (refusal === undefined) stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  else stderr.write(refusalText(refusal))
  return 1
}

interface Refusal {
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
  readonly findings: readonly { readonly message: string; readonly path: string }[]
  readonly places: readonly string[]
}

/** An error of this process, or of a server. */
function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof GrainlineError) {
    const { hint, findings = [] } = error.details
    return { code: error.code, message: error.message, hint, findings, places: placesTried(error) }
  }
  if (!isApiError(error)) return undefined
  const { code, detail, hint, errors = [] } = error.problem
  return { code, message: detail, hint, findings: errors, places: [] }
}

const isApiError = (error: unknown): error is ApiError => (error as Partial<ApiError> | undefined)?.name === 'ApiError'

function refusalText({ code, message, hint, findings, places }: Refusal): string {
  // Some messages contain all findings.
  const others = findings.slice(1).filter((other) => code !== 'MODEL_INVALID' && !message.includes(other.message))
  const lines = [
    ...(hint && !message.includes(hint) ? [hint] : []),
    ...others.map((other) => `${other.message}${other.path === '' ? '' : ` (${other.path})`}`),
    ...places,
  ]
  return `${code}: ${message}\n${lines.map((line) => `  ${line}\n`).join('')}`
}

/** The first sentence: Node appends hints that do not apply here. The path `.` ends none. */
const sentence = (message: string): string => message.split(/(?<=\S)\.\s/)[0]!.replace(/\.$/, '')

interface NetworkFault {
  readonly code?: string
  readonly address?: string
  readonly hostname?: string
  readonly port?: number
  readonly cause?: unknown
  readonly errors?: readonly unknown[]
}

/** The address of a failed connection: clients of a server must not see it, but the caller of a command may. */
function placesTried(error: unknown, depth = 0): string[] {
  const { code, address, hostname, port, cause, errors = [] } = (error ?? {}) as NetworkFault
  const place = address ?? hostname
  const own = place === undefined ? [] : [`${code ?? 'failed'} at ${place}${port === undefined ? '' : ` port ${port}`}`]
  const inner = depth > 5 ? [] : [cause, ...errors].filter(Boolean).flatMap((each) => placesTried(each, depth + 1))
  return [...new Set([...own, ...inner])]
}
