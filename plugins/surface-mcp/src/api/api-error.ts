/** An error of the API, or of the connection to it. */
export interface Refusal {
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
  readonly suggestions?: readonly string[] | undefined
  readonly findings?: readonly Finding[] | undefined
  readonly status?: number
  /** The possible values of a tool argument, for a choice by the user. */
  readonly choices?: Choices
}
export interface Choices {
  readonly argument: string
  readonly values: readonly string[]
}
/** A fault in a model or query. */
export interface Finding {
  readonly code: string
  readonly message: string
  readonly path: string
  readonly line?: number
  readonly hint?: string
  readonly suggestions?: readonly string[]
}

export class ApiError extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message)
  }
}

/** Reads problem details (RFC 9457) as an error. Any other body becomes the message, and is truncated. */
export function refusalOf(status: number, text: string): ApiError {
  const problem = problemOf(text)
  if (problem === undefined) return new ApiError({ code: 'API_ERROR', message: `HTTP ${status}: ${text.slice(0, 200)}`, status })
  const { code = 'API_ERROR', detail = `HTTP ${status}`, hint, suggestions, errors } = problem
  return new ApiError({ code, message: detail, hint: status === 401 ? KEY_HINT : hint, suggestions, findings: errors, status })
}

const KEY_HINT =
  'The API key is missing or wrong. A person has to fix it: API_KEY of this MCP server, or the header that its client sends.'

interface Problem {
  readonly code?: string
  readonly detail?: string
  readonly hint?: string
  readonly suggestions?: readonly string[]
  readonly errors?: readonly Finding[]
}

function problemOf(text: string): Problem | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
