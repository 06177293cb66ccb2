/** The error body of the API (RFC 9457). */
export interface ApiProblem {
  readonly code: string
  readonly detail: string
  readonly status: number
  readonly hint?: string
  readonly suggestions?: readonly string[]
  readonly errors?: readonly {
    readonly code: string
    readonly message: string
    readonly path: string
    readonly severity: 'error' | 'warning'
    readonly hint?: string
    readonly suggestions?: readonly string[]
    readonly line?: number
    readonly column?: number
  }[]
  readonly request_id?: string
}

/** The API returned an error, or could not be reached (`SERVER_UNREACHABLE`, with status 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: string
  readonly status: number
  readonly problem: ApiProblem

  constructor(problem: ApiProblem, cause?: unknown) {
    super(problem.detail, cause === undefined ? undefined : { cause })
    this.problem = problem
    this.code = problem.code
    this.status = problem.status
  }
}

/** The error of a response; the message says if it does not come from the API. */
export async function refusalOf(response: Response): Promise<ApiError> {
  const text = await response.text()
  const { status } = response
  return new ApiError({ ...(problemIn(text) ?? foreign(status, text)), status })
}

const isProblem = (body: unknown): body is ApiProblem =>
  typeof body === 'object' &&
  body !== null &&
  'code' in body &&
  typeof body.code === 'string' &&
  'detail' in body &&
  typeof body.detail === 'string'

function problemIn(text: string): Omit<ApiProblem, 'status'> | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return isProblem(body) ? body : undefined
  } catch {
    return undefined
  }
}

function foreign(status: number, text: string): Omit<ApiProblem, 'status'> {
  const start = text.trim().slice(0, 200)
  return { code: `HTTP_${status}`, detail: `The server answered ${status}${start === '' ? '' : `: ${start}`}` }
}
