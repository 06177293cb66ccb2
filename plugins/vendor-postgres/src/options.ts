import { type Static, Type } from '@grainline/core'
import {
  addressOf,
  addressOptions,
  type ConnectionPlan,
  certificatesOf,
  plansByName,
  readUrl,
  runOptions,
  type ServerAddress,
  servedAt,
  tlsOption,
  type Unplaced,
  type UrlForm,
  vendorOptions,
} from '@grainline/core/vendor'

const FORM: UrlForm = {
  protocols: ['postgres', 'postgresql'],
  example: 'postgres://user:password@host:port/database',
  query: ['host', 'port', 'user', 'password'],
}

const connection = {
  ...addressOptions(FORM.example),
  host: Type.Optional(Type.String({ description: 'Name, address or the folder of a Unix socket.' })),
  tls: tlsOption,
  applicationName: Type.Optional(Type.String({ description: 'The name in pg_stat_activity. Default: grainline.' })),
  ...runOptions,
}

export const optionsSchema = vendorOptions(connection, {
  ...connection,
  dialect: Type.Optional(Type.Union([Type.Literal('postgres'), Type.Literal('redshift')])),
})

export type PostgresOptions = Static<typeof optionsSchema>
type ConnectionOptions = Omit<PostgresOptions, 'connections'> & { readonly dialect?: 'postgres' | 'redshift' }

/** One database. */
export interface PostgresPlan extends ConnectionPlan {
  readonly dialect: 'postgres' | 'redshift'
  /** The values from its URL and its parts; the rest comes from PGHOST and the other libpq variables. */
  readonly address: ServerAddress
  /** The URL. Its address is already parsed; it may contain more, such as options of TLS. */
  readonly url: URL | undefined
  /** More options of the driver. */
  readonly client: Readonly<Record<string, unknown>>
}

interface Variables {
  readonly POSTGRES_URL: string | undefined
  readonly POSTGRES_STATEMENT_TIMEOUT_MS: number | undefined
  readonly REDSHIFT_URL: string | undefined
}

/** The databases of options and variables: a URL of the environment is served *instead* of the configured one. Throws `INVALID_CONFIG`. */
export function plansOf({ connections, ...own }: PostgresOptions, variables: Variables): PostgresPlan[] {
  const { POSTGRES_URL, REDSHIFT_URL: redshift, POSTGRES_STATEMENT_TIMEOUT_MS: timeout } = variables
  const main: Record<string, ConnectionOptions> = {
    postgres: servedAt(own, POSTGRES_URL),
    ...(redshift !== undefined && { redshift: { url: redshift, dialect: 'redshift', tls: true } }),
  }
  return plansByName(main, connections, (name, given) =>
    planOf(name, { ...given, ...(timeout !== undefined && { statementTimeoutMs: timeout }) }),
  )
}

const planOf = (name: string, given: ConnectionOptions): Unplaced<PostgresPlan> => {
  const { url, dialect = 'postgres', statementTimeoutMs, poolSize, tls, applicationName = 'grainline' } = given
  return {
    name,
    dialect,
    statementTimeoutMs,
    poolSize,
    address: addressOf(name, given, FORM),
    url: url === undefined ? undefined : readUrl(name, url, FORM),
    client: {
      ...(tls !== undefined && { ssl: typeof tls === 'boolean' ? tls : certificatesOf(tls) }),
      application_name: applicationName,
    },
  }
}
