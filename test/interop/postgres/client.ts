/**
 * The client that `install.sh` puts beside the tests; it is not a dependency of the workspaces, so the types that the tests use are
 * declared here.
 */
import { existsSync } from 'node:fs'

export interface Client {
  connect(): Promise<void>
  query(statement: { readonly text: string; readonly rowMode: 'array' }): Promise<{
    readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
    readonly rows: readonly (readonly (string | null)[])[]
  }>
  query(text: string): Promise<unknown>
  end(): Promise<void>
}

const entry = new URL('../node_modules/pg/lib/index.js', import.meta.url)

/** Every value arrives as the text that the server sent. If it cannot connect, returns the reason as a sentence. */
export async function openClient(
  socket: string,
  other: { readonly port?: number; readonly database?: string } = {},
): Promise<Client | string> {
  if (!existsSync(entry)) return 'the client is not installed: run test/interop/install.sh'
  const { default: pg } = (await import(entry.href)) as { default: { Client: new (options: object) => Client } }
  const asText = (): ((value: string) => string) => (value) => value
  const client = new pg.Client({
    host: socket,
    user: 'postgres',
    database: 'postgres',
    ...other,
    types: { getTypeParser: asText },
  })
  await client.connect()
  return client
}
