/** What the page of a tab and its worker say to each other. */

/** From the page. Each but `end` is answered by a message with the same number. */
export type Asked = { readonly number: number } & (
  | { readonly kind: 'start'; readonly data: Data }
  | { readonly kind: 'request'; readonly request: Request }
  /** The page no longer wants the answer. */
  | { readonly kind: 'end' }
)

/** The tables that the tab asks about: those of the example, or the files that somebody chose. */
export type Data = { readonly kind: 'example' } | { readonly kind: 'files'; readonly files: readonly File[] }

/** A request of the page to the API. */
export interface Request {
  readonly method: string
  /** With the query string. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** From the worker. */
export type Told =
  /** What it does now, in a few words. */
  | { readonly kind: 'doing'; readonly what: string }
  | { readonly kind: 'started'; readonly number: number }
  | { readonly kind: 'failed'; readonly number: number; readonly message: string }
  | { readonly kind: 'response'; readonly number: number; readonly response: Answer }

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
}
