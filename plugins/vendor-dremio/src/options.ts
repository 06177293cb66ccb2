import { fail, type Static, Type } from '@grainline/core'
import {
  addressOf,
  addressOptions,
  type ConnectionPlan,
  certificatesOf,
  plansByName,
  readUrl,
  runOptions,
  servedAt,
  type TlsFiles,
  tlsOption,
  type Unplaced,
  type UrlForm,
  vendorOptions,
} from '@grainline/core/vendor'

const FORM: UrlForm = {
  protocols: ['dremio', 'dremio+tls'],
  example: 'dremio+tls://user:password@host:port/schema',
}

const connection = {
  ...addressOptions(FORM.example),
  database: Type.Optional(Type.String({ description: 'The schema of tables for which the model names none: a path with dots.' })),
  token: Type.Optional(Type.String({ description: 'A personal access token, instead of user and password.' })),
  tls: tlsOption,
  routingTag: Type.Optional(Type.String({ description: 'The tag by which the engine chooses a queue.' })),
  routingQueue: Type.Optional(Type.String({ description: 'The name of the queue.' })),
  ...runOptions,
}

export const optionsSchema = vendorOptions(connection, connection)
export type DremioOptions = Static<typeof optionsSchema>
type ConnectionOptions = Omit<DremioOptions, 'connections'>

/** One engine, as one user. */
export interface DremioPlan extends ConnectionPlan {
  readonly dialect: 'dremio'
  readonly host: string
  readonly port: number
  readonly tls: boolean | TlsFiles
  readonly credentials: { readonly user: string; readonly password: string } | { readonly token: string } | undefined
  /** Additional headers of every call: https://docs.dremio.com/current/client-applications/arrow-flight-sql-jdbc-driver */
  readonly headers: Readonly<Record<string, string>>
}

interface Variables {
  readonly DREMIO_URL: string | undefined
}

/** The databases of options and variables: a URL of the environment is served *instead* of the configured one. Throws `INVALID_CONFIG`. */
export const plansOf = ({ connections, ...own }: DremioOptions, { DREMIO_URL }: Variables): DremioPlan[] =>
  plansByName({ dremio: servedAt(own, DREMIO_URL) }, connections, planOf)

function planOf(name: string, given: ConnectionOptions): Unplaced<DremioPlan> {
  const { url, token, tls, routingTag, routingQueue, statementTimeoutMs, poolSize } = given
  const { host = 'localhost', port = 32010, database, user, password } = addressOf(name, given, FORM)
  if (token !== undefined && password !== undefined)
    fail('INVALID_CONFIG', `'${name}' is given both password and token; one of them shows who asks`, { path: 'token' })
  const secure = tls ?? (url !== undefined && readUrl(name, url, FORM).protocol === 'dremio+tls:')
  const headers = { schema: database, routing_tag: routingTag, routing_queue: routingQueue }
  return {
    name,
    dialect: 'dremio',
    statementTimeoutMs,
    poolSize,
    host,
    port,
    tls: typeof secure === 'object' ? certificatesOf(secure) : secure,
    credentials: token !== undefined ? { token } : user !== undefined ? { user, password: password ?? '' } : undefined,
    headers: Object.fromEntries(Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined)),
  }
}
