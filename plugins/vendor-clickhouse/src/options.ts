import { fail, readPemFiles, type Static, Type } from '@grainline/core'

const connection = {
  url: Type.Optional(Type.String({ description: 'http(s)://user:password@host:port/database; parts of their own win over it.' })),
  host: Type.Optional(Type.String()),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535 })),
  database: Type.Optional(Type.String()),
  user: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  tls: Type.Optional(
    Type.Union([
      Type.Boolean(),
      Type.Object(
        {
          ca: Type.String({ description: 'A PEM file with the authority of the server.' }),
          cert: Type.Optional(Type.String({ description: 'A PEM file with our own certificate.' })),
          key: Type.Optional(Type.String({ description: 'The PEM file of its key.' })),
        },
        { additionalProperties: false },
      ),
    ]),
  ),
  statementTimeoutMs: Type.Optional(Type.Integer({ minimum: 1 })),
  poolSize: Type.Optional(Type.Integer({ minimum: 1, description: 'In place of DB_POOL_SIZE.' })),
}
const one = Type.Object(connection, { additionalProperties: false })

export const optionsSchema = Type.Object(
  {
    ...connection,
    connections: Type.Optional(
      Type.Record(Type.String(), one, { description: 'Further databases by name; DB_VENDOR chooses one by that name.' }),
    ),
  },
  { additionalProperties: false },
)
export type ClickhouseOptions = Static<typeof optionsSchema>
type ConnectionOptions = Static<typeof one>

/** One database, and the vendor's name that stands for it. */
export interface ClickhousePlan {
  readonly name: string
  readonly statementTimeoutMs: number | undefined
  readonly poolSize: number | undefined
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
export function plansOf({ connections = {}, ...own }: ClickhouseOptions, { CLICKHOUSE_URL: url }: Variables): ClickhousePlan[] {
  const { host: _, port: __, database: ___, user: ____, password: _____, ...shared } = own
  return [
    planOf('clickhouse', url === undefined ? own : { ...shared, url }),
    ...Object.entries(connections).map(([name, given]) => planOf(name, given)),
  ]
}

/** Of what nobody says, the defaults of the server: https://clickhouse.com/docs/guides/sre/network-ports */
function planOf(name: string, given: ConnectionOptions): ClickhousePlan {
  const parsed = given.url === undefined ? undefined : parsedUrl(given.url, name)
  const secure = (given.tls ?? parsed?.protocol === 'https:') !== false
  const text = (part: string | undefined): string | undefined =>
    part === undefined || part === '' ? undefined : decodeURIComponent(part)
  const host = given.host ?? parsed?.hostname ?? 'localhost'
  const port = given.port ?? text(parsed?.port) ?? (secure ? 8443 : 8123)
  return {
    name,
    statementTimeoutMs: given.statementTimeoutMs,
    poolSize: given.poolSize,
    url: `${secure ? 'https' : 'http'}://${host}:${port}`,
    database: given.database ?? text(parsed?.pathname.slice(1)) ?? 'default',
    user: given.user ?? text(parsed?.username) ?? 'default',
    password: given.password ?? text(parsed?.password) ?? '',
    tls: typeof given.tls === 'object' ? certificates(given.tls) : undefined,
  }
}

function parsedUrl(url: string, name: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed !== undefined && /^https?:$/.test(parsed.protocol)) return parsed
  return fail('INVALID_CONFIG', `The url of '${name}' must be of the form https://user:password@host:port/database`, {
    path: 'url',
  })
}

function certificates(files: Exclude<ConnectionOptions['tls'], boolean | undefined>): Certificates {
  const { ca, cert, key } = readPemFiles(files)
  return {
    ca_cert: Buffer.from(ca!),
    ...(cert !== undefined && { cert: Buffer.from(cert) }),
    ...(key !== undefined && { key: Buffer.from(key) }),
  }
}
