/** One table of codes: the HTTP status a surface answers with, and what the error reference says. Codes are added, never reused. */
import { errorCatalog } from './error-catalog.js'

/** A code of `docs/reference/errors.md`. */
export type ErrorCode = keyof typeof errorCatalog
/** An error refuses; a warning does not. */
export type Severity = 'error' | 'warning'

/** One fault or remark about a model or a query. `path` is dotted (`dimensions.Country.dataObject`), `''` at the root; lines and columns are 1-based. */
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

/** What an error says besides its sentence: the place, the nearest right names, and facts for programs. */
export interface ErrorDetails {
  readonly path?: string
  readonly hint?: string
  readonly suggestions?: readonly string[]
  readonly context?: Readonly<Record<string, unknown>>
  /** The individual faults, where one error reports several (an invalid model). */
  readonly findings?: readonly Finding[]
  readonly cause?: unknown
}

/** Every refusal of Grainline. The message is one sentence for the person who caused it; it never carries a secret. */
export class GrainlineError extends Error {
  override readonly name = 'GrainlineError'
  readonly path: string
  readonly details: ErrorDetails

  constructor(
    readonly code: ErrorCode,
    message: string,
    details: ErrorDetails = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
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

/** Throws a `GrainlineError`; reads as a sentence at the place of the fault. */
export function fail(code: ErrorCode, message: string, details?: ErrorDetails): never {
  throw new GrainlineError(code, message, details)
}

/** Runs `work`; a refusal that does not say where it belongs is given `path`. */
export function within<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof GrainlineError) || error.path !== '') throw error
    throw new GrainlineError(error.code, error.message, { ...error.details, path })
  }
}

/** A finding that does not refuse. What to do is in the catalogue, unless the details know better. */
export function warning(code: ErrorCode, message: string, details: Omit<ErrorDetails, 'findings' | 'cause'> = {}): Finding {
  return { code, message, severity: 'warning', hint: errorCatalog[code].fix, ...details, path: details.path ?? '' }
}
