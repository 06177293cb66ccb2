import type { Readable } from 'node:stream'

/** A request of the page to the API. Its headers include the credential, which the browser never sees. */
export interface UpstreamRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Starts with `/v1/…` or `/health`, and includes the query string. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** The address of the browser. */
  readonly remoteAddress: string
  /** Aborts if the browser disconnects. */
  readonly signal: AbortSignal
}

export interface UpstreamAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number | readonly string[] | undefined>>
  readonly body: Readable
}

/** Sends a request to the API. Rejects if the API does not answer. */
export type Upstream = (request: UpstreamRequest) => Promise<UpstreamAnswer>
