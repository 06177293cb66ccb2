import { type Static, Type } from '@grainline/core'
import {
  addressOf,
  addressOptions,
  type ConnectionPlan,
  plansByName,
  readPemFiles,
  readUrl,
  runOptions,
  servedAt,
  type Unplaced,
  type UrlForm,
  vendorOptions,
} from '@grainline/core/vendor'

const FORM: UrlForm = { protocols: ['http', 'https'], example: 'https://user:password@host:port/database' }

const connection = {
  ...addressOptions(FORM.example),
  tls: Type.Optional(
    Type.Union([
      Type.Boolean(),
      Type.Object(
        {
          ca: Type.String({ description: "A PEM file with the server's certificate authority." }),
          cert: Type.Optional(Type.String({ description: 'A PEM file with the client certificate.' })),
          key: Type.Optional(Type.String({ description: 'The PEM file of its key.' })),
        },
        { additionalProperties: false },
      ),
    ]),
  ),
  ...runOptions,
}

export const optionsSchema = vendorOptions(connection, connection)
export type ClickhouseOptions = Static<typeof optionsSchema>
type ConnectionOptions = Omit<ClickhouseOptions, 'connections'>

/** One database. */
export interface ClickhousePlan extends ConnectionPlan {
  readonly dialect: 'clickhouse'
  /** The server, without a path. */
  readonly url: string
  readonly database: string
  readonly user: string
  readonly password: string
  readonly tls: Certificates | undefined
}

interface Certificates {
  readonly ca_cert: Buffer
  readonly cert?: Buffer
  readonly key?: Buffer
}

interface Variables {
  readonly CLICKHOUSE_URL: string | undefined
}

/** The databases of options and variables: a URL of the environment is served *instead* of the configured one. Throws `INVALID_CONFIG`. */
export const plansOf = ({ connections, ...own }: ClickhouseOptions, { CLICKHOUSE_URL }: Variables): ClickhousePlan[] =>
  plansByName({ clickhouse: servedAt(own, CLICKHOUSE_URL) }, connections, planOf)

/** Missing values have the defaults of the server: https://clickhouse.com/docs/guides/sre/network-ports */
function planOf(name: string, given: ConnectionOptions): Unplaced<ClickhousePlan> {
  const { tls, url, statementTimeoutMs, poolSize } = given
  const secure = (tls ?? (url !== undefined && readUrl(name, url, FORM).protocol === 'https:')) !== false
  const address = addressOf(name, given, FORM)
  const { host = 'localhost', port = secure ? 8443 : 8123, database = 'default', user = 'default', password = '' } = address
  return {
    name,
    dialect: 'clickhouse',
    statementTimeoutMs,
    poolSize,
    url: `${secure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    database,
    user,
    password,
    tls: typeof tls === 'object' ? certificates(tls) : undefined,
  }
}

function certificates(files: Exclude<ConnectionOptions['tls'], boolean | undefined>): Certificates {
  const { ca, cert, key } = readPemFiles(files)
  return {
    ca_cert: Buffer.from(ca!),
    ...(cert !== undefined && { cert: Buffer.from(cert) }),
    ...(key !== undefined && { key: Buffer.from(key) }),
  }
}
