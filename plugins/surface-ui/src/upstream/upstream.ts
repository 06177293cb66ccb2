import type { Readable } from 'node:stream'

/** A request of the page to the API, with the credential that the browser never sees. */
export interface UpstreamRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** From `/v1/…` or `/health` on, with its query string. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** Address of the browser. */
  readonly remoteAddress: string
  /** Aborts when the browser goes away. */
  readonly signal: AbortSignal
}

export interface UpstreamAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number | readonly string[] | undefined>>
  readonly body: Readable
}

/** How the API is reached. Rejects where it does not answer at all. */
export type Upstream = (request: UpstreamRequest) => Promise<UpstreamAnswer>
