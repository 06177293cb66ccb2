/** Statements over HTTP as the manual of Trino describes them, for tests: https://trino.io/docs/current/develop/client-protocol.html */
import { parse } from 'lossless-json'

export interface Reply {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** Numbers are texts, so that no digit is lost. */
  readonly rows: readonly (readonly (string | boolean | null)[])[]
}

interface Page {
  readonly nextUri?: string
  readonly columns?: Reply['columns']
  readonly data?: Reply['rows']
  readonly error?: { readonly message: string }
}

const SESSION = { 'X-Trino-User': 'tests', 'X-Trino-Catalog': 'memory' }

export async function ask(
  port: number,
  sql: string,
  session: Readonly<Record<string, string>> = {},
  schema = 'default',
): Promise<Reply> {
  const headers = {
    ...SESSION,
    'X-Trino-Schema': schema,
    // Times have as many digits as the column, not three.
    'X-Trino-Client-Capabilities': 'PARAMETRIC_DATETIME',
    'X-Trino-Session': Object.entries(session)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join(','),
  }
  let page = await read(fetch(`http://127.0.0.1:${port}/v1/statement`, { method: 'POST', body: sql, headers }))
  let columns: Reply['columns'] = []
  const rows: Reply['rows'][number][] = []
  for (;;) {
    if (page.error) throw new Error(page.error.message)
    columns = page.columns ?? columns
    rows.push(...(page.data ?? []))
    if (page.nextUri === undefined) return { columns, rows }
    page = await read(fetch(page.nextUri))
  }
}

async function read(answer: Promise<Response>): Promise<Page> {
  const response = await answer
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status}: ${text}`)
  return parse(text, undefined, { parseNumber: String }) as Page
}
