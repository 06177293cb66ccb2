/** One table of codes: the HTTP status a surface answers with, and what the error reference says. Codes are added, never reused. */
import { errorCatalog } from './error-catalog.js'

/** A code of `docs/reference/errors.md`. */
export type ErrorCode = keyof typeof errorCatalog
/** An error stops the request; a warning does not. */
export type Severity = 'error' | 'warning'

/**
 * One error or warning about a model or a query. `path` is dotted (`dimensions.Country.dataObject`), `''` at the root; lines and columns
 * are 1-based.
 */
export interface Finding {
  readonly code: ErrorCode
  readonly message: string
  readonly path: string
  readonly severity: Severity
  readonly hint?: string
  readonly context?: Readonly<Record<string, unknown>>
  readonly suggestions?: readonly string[]
  readonly line?: number
  readonly column?: number
}

/** The parts of an error besides its sentence: the place, the nearest valid names, and data for programs. */
export interface ErrorDetails {
  readonly path?: string
  readonly hint?: string
  readonly suggestions?: readonly string[]
  readonly context?: Readonly<Record<string, unknown>>
  /** The individual findings, if one error reports several (an invalid model). */
  readonly findings?: readonly Finding[]
  readonly cause?: unknown
  /** The message lists every error of the operator's own files, and is not cut. */
  readonly isWhole?: boolean
}

/** Every error of Grainline. The message is one sentence for the person who caused it; it never contains a secret. */
export class GrainlineError extends Error {
  override readonly name = 'GrainlineError'
  readonly path: string
  readonly details: ErrorDetails

  constructor(
    readonly code: ErrorCode,
    message: string,
    details: ErrorDetails = {},
  ) {
    super(details.isWhole ? message : brief(message), details.cause === undefined ? undefined : { cause: details.cause })
    this.path = details.path ?? ''
    this.details = details
  }

  get status(): number {
    return errorCatalog[this.code].status
  }

  /** The error as a finding, for lists of errors. */
  toFinding(): Finding {
    const { hint, suggestions, context } = this.details
    return {
      code: this.code,
      message: this.message,
      path: this.path,
      severity: 'error',
      ...(hint !== undefined && { hint }),
      ...(suggestions !== undefined && { suggestions }),
      ...(context !== undefined && { context }),
    }
  }
}

/** One error for several findings: it repeats the first, and says how many more there are. */
export function errorOf(first: Finding, others: readonly Finding[]): GrainlineError {
  const { code, message, path, hint, suggestions, context } = first
  const tail = others.length > 0 ? ` (and ${others.length} more)` : ''
  return new GrainlineError(code, message + tail, {
    path,
    ...(hint !== undefined && { hint }),
    ...(suggestions !== undefined && { suggestions }),
    ...(context !== undefined && { context }),
    findings: [first, ...others],
  })
}

/** Throws a `GrainlineError`; to be called where the fault is found. */
export function fail(code: ErrorCode, message: string, details?: ErrorDetails): never {
  throw new GrainlineError(code, message, details)
}

/** Runs `work`; an error without a path gets `path`. */
export function within<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof GrainlineError) || error.path !== '') throw error
    throw new GrainlineError(error.code, error.message, { ...error.details, path })
  }
}

/** A finding that does not stop the request. The catalogue has the advice, unless the details have a better one. */
export function warning(code: ErrorCode, message: string, details: Omit<ErrorDetails, 'findings' | 'cause'> = {}): Finding {
  return {
    code,
    message: brief(message),
    severity: 'warning',
    hint: errorCatalog[code].fix,
    ...details,
    path: details.path ?? '',
  }
}

/** Clients may send names and texts of a megabyte: a message repeats the beginning of what is in quotes, and is never that long. */
function brief(message: string): string {
  if (message.length <= LONG_MESSAGE) return message
  const short = message.replace(/'([^']*)'/g, (quoted, name: string) => (name.length > 200 ? `'${name.slice(0, 100)}…'` : quoted))
  return short.length <= LONGEST_MESSAGE ? short : `${short.slice(0, LONGEST_MESSAGE - ENDING)}…${short.slice(-ENDING)}`
}

const LONG_MESSAGE = 1000
const LONGEST_MESSAGE = 5000
/** Advice is at the end. */
const ENDING = 500
