import type { ErrorCode, Finding, Severity } from '../errors.js'
import { didYouMean, nearest } from '../nearest.js'
import type { Segments } from './parse/locate.js'

/** A finding before its position in the text is known. */
export interface Fault {
  readonly code: ErrorCode
  readonly message: string
  readonly segments: Segments
  readonly severity: Severity
  readonly suggestions?: readonly string[]
  readonly hint?: string
  readonly context?: Readonly<Record<string, unknown>>
  /** Characters into the scalar at `segments`. */
  readonly offset?: number
  /** The error is the key, not its value. */
  readonly onKey?: boolean
}

export type FaultDetails = Partial<Pick<Fault, 'suggestions' | 'hint' | 'context' | 'offset' | 'onKey'>>

/** The maximum number of errors, and of warnings: more than a person reads, and than an answer should contain. */
export const MAX_FAULTS = 1_000
/** The search for the nearest name takes time, so it is done for a limited number of errors. */
const MAX_SUGGESTED = 20
/** The number of known names with which one error, and all errors together, may be compared. */
const MAX_COMPARED = 10_000
const MAX_COMPARED_ALTOGETHER = 20_000
/** A longer name is not a typo, and comparing long ones takes quadratic time. */
const MAX_SUGGESTED_LENGTH = 200
/** A name may be as long as the document; a message about it may not. */
const MAX_MESSAGE = 1_000

/** An unknown name, and the known ones. */
interface UnknownName {
  readonly message: string
  readonly name: string
  readonly known: Iterable<string>
}

/** Collects all errors of one document. */
export class Faults {
  readonly list: Fault[] = []
  /** Errors beyond the limit are counted, not stored. Errors and warnings have separate limits, so that warnings cannot hide an error. */
  omitted = 0
  private compared = 0
  private readonly counts: Record<Severity, number> = { error: 0, warning: 0 }

  /** `noted` is called for every finding, stored or not. */
  constructor(private readonly noted: (fault: Fault) => void = () => undefined) {}

  error(code: ErrorCode, segments: Segments, message: string, details: FaultDetails = {}): void {
    this.add({ code, segments, message, severity: 'error', ...details })
  }

  warn(code: ErrorCode, segments: Segments, message: string, details: FaultDetails = {}): void {
    this.add({ code, segments, message, severity: 'warning', ...details })
  }

  /** An error about an unknown name, with the nearest known ones. */
  unknown(code: ErrorCode, segments: Segments, { message, name, known }: UnknownName, details: FaultDetails = {}): void {
    const suggestions = this.nearest(name, known)
    this.error(code, segments, message + didYouMean(suggestions), { ...details, ...(suggestions.length > 0 && { suggestions }) })
  }

  /** The nearest known names, as long as the search is cheap. */
  nearest(name: string, known: Iterable<string>): string[] {
    if (this.list.length >= MAX_SUGGESTED || name.length > MAX_SUGGESTED_LENGTH || this.compared > MAX_COMPARED_ALTOGETHER)
      return []
    const candidates: string[] = []
    for (const candidate of known) {
      if (candidates.length >= MAX_COMPARED) break
      candidates.push(candidate)
    }
    this.compared += candidates.length
    return nearest(name, candidates)
  }

  private add(fault: Fault): void {
    this.noted(fault)
    this.counts[fault.severity] += 1
    if (this.counts[fault.severity] <= MAX_FAULTS) this.list.push(fault)
    else this.omitted++
  }
}

/** `dimensions.Country.dataObject`, `measures.Revenue.columns[0]`. */
export function dotted(segments: Segments): string {
  return segments.map((s, i) => (typeof s === 'number' ? `[${s}]` : i === 0 ? s : `.${s}`)).join('')
}

const clip = (text: string): string => (text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text)

export function toFinding(fault: Fault, place: { readonly line: number; readonly column: number } | undefined): Finding {
  const { code, message, severity, suggestions, hint, context } = fault
  return {
    code,
    message: clip(message),
    path: clip(dotted(fault.segments)),
    severity,
    ...(hint !== undefined && { hint }),
    ...(context !== undefined && { context }),
    ...(suggestions !== undefined && { suggestions }),
    ...(place && { line: place.line, column: place.column }),
  }
}
