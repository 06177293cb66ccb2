/** The body of an error of the API, `application/problem+json`. */
export interface Problem {
  readonly code: string
  readonly detail: string
  readonly status: number
  readonly hint?: string
  readonly suggestions?: readonly string[]
  readonly errors?: readonly Finding[]
  readonly request_id?: string
}

export interface Finding {
  readonly code: string
  readonly message: string
  readonly path: string
  readonly severity: 'error' | 'warning'
  readonly hint?: string
  readonly suggestions?: readonly string[]
  readonly line?: number
  readonly column?: number
}
