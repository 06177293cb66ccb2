import { fail, readPemFiles, type Static, Type } from '@grainline/core'

const connection = {
  url: Type.Optional(Type.String({ description: 'mysql://user:password@host:port/database; parts of their own win over it.' })),
  host: Type.Optional(Type.String()),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535 })),
  socketPath: Type.Optional(Type.String({ description: 'A Unix socket in place of host and port.' })),
  database: Type.Optional(Type.String()),
  user: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  tls: Type.Optional(
    Type.Union([
      Type.Boolean(),
      Type.Object(
        {
          ca: Type.Optional(Type.String({ description: 'A PEM file with the authority of the server.' })),
          cert: Type.Optional(Type.String({ description: 'A PEM file with our own certificate.' })),
          key: Type.Optional(Type.String({ description: 'The PEM file of its key.' })),
          rejectUnauthorized: Type.Optional(Type.Boolean({ default: true })),
        },
        { additionalProperties: false },
      ),
    ]),
  ),
  statementTimeoutMs: Type.Optional(Type.Integer({ minimum: 1 })),
  poolSize: Type.Optional(Type.Integer({ minimum: 1, description: 'In place of DB_POOL_SIZE.' })),
}

const main = Type.Object(connection, { additionalProperties: false })
const named = Type.Object(
  { ...connection, dialect: Type.Optional(Type.Union([Type.Literal('mysql'), Type.Literal('mariadb')])) },
  { additionalProperties: false },
)

export const optionsSchema = Type.Object(
  {
    ...connection,
    mariadb: Type.Optional(main),
    connections: Type.Optional(
      Type.Record(Type.String(), named, { description: 'Further databases by name; DB_VENDOR chooses one by that name.' }),
    ),
  },
  { additionalProperties: false },
)

export type MysqlOptions = Static<typeof optionsSchema>
type ConnectionOptions = Static<typeof named>

/** One database, and the vendor's name that stands for it. */
export interface MysqlPlan {
  readonly name: string
  readonly dialect: 'mysql' | 'mariadb'
  readonly statementTimeoutMs: number | undefined
  readonly poolSize: number | undefined
  /** What the driver takes. */
  readonly client: Readonly<Record<string, unknown>>
}

interface Variables {
  readonly MYSQL_URL: string | undefined
  readonly MARIADB_URL: string | undefined
}

/** The databases of options and variables: a URL of the environment is served *instead* of the configured one. Throws `INVALID_CONFIG`. */
export function plansOf({ connections = {}, mariadb = {}, ...own }: MysqlOptions, variables: Variables): MysqlPlan[] {
  const plan = (name: string, dialect: MysqlPlan['dialect'], given: ConnectionOptions): MysqlPlan => ({
    name,
    dialect,
    statementTimeoutMs: given.statementTimeoutMs,
    poolSize: given.poolSize,
    client: clientOf(name, given),
  })
  const instead = (given: ConnectionOptions, url: string | undefined): ConnectionOptions =>
    url === undefined ? given : { ...shared(given), url }
  return [
    plan('mysql', 'mysql', instead(own, variables.MYSQL_URL)),
    plan('mariadb', 'mariadb', instead(mariadb, variables.MARIADB_URL)),
    ...Object.entries(connections).map(([name, given]) => plan(name, given.dialect ?? 'mysql', given)),
  ]
}

/** What is not the address of a database. */
const shared = ({ tls, statementTimeoutMs, poolSize }: ConnectionOptions): ConnectionOptions => ({
  ...(tls !== undefined && { tls }),
  ...(statementTimeoutMs !== undefined && { statementTimeoutMs }),
  ...(poolSize !== undefined && { poolSize }),
})

function clientOf(name: string, given: ConnectionOptions): MysqlPlan['client'] {
  const { url, host, port, socketPath, database, user, password, tls } = given
  const parts = { host, port, socketPath, database, user, password }
  return {
    ...(url !== undefined && partsOf(url, name)),
    ...Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)),
    ...(tls !== undefined && tls !== false && { ssl: tls === true ? {} : certificates(tls) }),
  }
}

/** Read here, because the driver takes whatever else a URL says for options of its own. */
function partsOf(url: string, name: string): object {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || !/^(mysql|mariadb):$/.test(parsed.protocol))
    return fail('INVALID_CONFIG', `The url of '${name}' must be of the form mysql://user:password@host:port/database`, {
      path: 'url',
    })
  const text = (part: string): string | undefined => (part === '' ? undefined : decodeURIComponent(part))
  const parts = {
    host: text(parsed.hostname),
    port: parsed.port === '' ? undefined : Number(parsed.port),
    user: text(parsed.username),
    password: text(parsed.password),
    database: text(parsed.pathname.slice(1)),
    ...(/^(true|require|verify)/i.test(parsed.searchParams.get('ssl') ?? parsed.searchParams.get('ssl-mode') ?? '') && {
      ssl: {},
    }),
  }
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))
}

const certificates = ({
  rejectUnauthorized = true,
  ...files
}: Exclude<ConnectionOptions['tls'], boolean | undefined>): object => ({
  ...readPemFiles(files),
  rejectUnauthorized,
})
