import { fail, readPemFiles, type Static, Type } from '@grainline/core'

const connection = {
  url: Type.Optional(
    Type.String({ description: 'postgres://user:password@host:port/database; parts of their own win over it.' }),
  ),
  host: Type.Optional(Type.String({ description: 'Name, address or the folder of a Unix socket.' })),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535 })),
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
  applicationName: Type.Optional(Type.String({ description: 'What pg_stat_activity shows; grainline by default.' })),
  statementTimeoutMs: Type.Optional(Type.Integer({ minimum: 1 })),
  poolSize: Type.Optional(Type.Integer({ minimum: 1, description: 'In place of DB_POOL_SIZE.' })),
}

const named = Type.Object(
  { ...connection, dialect: Type.Optional(Type.Union([Type.Literal('postgres'), Type.Literal('redshift')])) },
  { additionalProperties: false },
)

export const optionsSchema = Type.Object(
  {
    ...connection,
    connections: Type.Optional(
      Type.Record(Type.String(), named, { description: 'Further databases by name; DB_VENDOR chooses one by that name.' }),
    ),
  },
  { additionalProperties: false },
)

export type PostgresOptions = Static<typeof optionsSchema>
type ConnectionOptions = Static<typeof named>

/** One database, and the vendor's name that stands for it. */
export interface PostgresPlan {
  readonly name: string
  readonly dialect: 'postgres' | 'redshift'
  readonly statementTimeoutMs: number | undefined
  readonly poolSize: number | undefined
  /** What the driver takes; absent parts come from the URL, then from PGHOST and its kin. */
  readonly client: Readonly<Record<string, unknown>>
}

interface Variables {
  readonly POSTGRES_URL: string | undefined
  readonly POSTGRES_STATEMENT_TIMEOUT_MS: number | undefined
  readonly REDSHIFT_URL: string | undefined
}

/** The databases of options and variables: a URL of the environment is served *instead* of the configured one. Throws `INVALID_CONFIG`. */
export function plansOf({ connections = {}, ...own }: PostgresOptions, variables: Variables): PostgresPlan[] {
  const timeout = variables.POSTGRES_STATEMENT_TIMEOUT_MS
  const plan = (name: string, given: ConnectionOptions): PostgresPlan => ({
    name,
    dialect: given.dialect ?? 'postgres',
    statementTimeoutMs: timeout ?? given.statementTimeoutMs,
    poolSize: given.poolSize,
    client: clientOf(name, given),
  })
  const main: ConnectionOptions = variables.POSTGRES_URL === undefined ? own : { ...shared(own), url: variables.POSTGRES_URL }
  const redshift = variables.REDSHIFT_URL
  return [
    plan('postgres', main),
    ...(redshift === undefined ? [] : [plan('redshift', { url: redshift, dialect: 'redshift', tls: true })]),
    ...Object.entries(connections).map(([name, given]) => plan(name, given)),
  ]
}

/** What is not the address of a database. */
const shared = ({ tls, applicationName, statementTimeoutMs, poolSize }: ConnectionOptions): ConnectionOptions => ({
  ...(tls !== undefined && { tls }),
  ...(applicationName !== undefined && { applicationName }),
  ...(statementTimeoutMs !== undefined && { statementTimeoutMs }),
  ...(poolSize !== undefined && { poolSize }),
})

function clientOf(name: string, given: ConnectionOptions): PostgresPlan['client'] {
  const { url, host, port, database, user, password, tls, applicationName = 'grainline' } = given
  if (url !== undefined && !/^postgres(ql)?:\/\//.test(url))
    fail('INVALID_CONFIG', `The url of '${name}' must begin with postgres://`, { path: 'url' })
  const parts = { host, port, database, user, password }
  return {
    ...(url !== undefined && { connectionString: url }),
    ...Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)),
    ...(tls !== undefined && { ssl: typeof tls === 'boolean' ? tls : certificates(tls) }),
    application_name: applicationName,
  }
}

const certificates = ({
  rejectUnauthorized = true,
  ...files
}: Exclude<ConnectionOptions['tls'], boolean | undefined>): object => ({
  ...readPemFiles(files),
  rejectUnauthorized,
})
