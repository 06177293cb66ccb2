import { type Static, Type } from '@grainline/core'
import {
  addressOf,
  addressOptions,
  type ConnectionPlan,
  certificatesOf,
  plansByName,
  readUrl,
  runOptions,
  servedAt,
  tlsOption,
  type Unplaced,
  type UrlForm,
  vendorOptions,
} from '@grainline/core/vendor'

const FORM: UrlForm = { protocols: ['mysql', 'mariadb'], example: 'mysql://user:password@host:port/database' }

const connection = {
  ...addressOptions(FORM.example),
  socketPath: Type.Optional(Type.String({ description: 'A Unix socket, instead of host and port.' })),
  tls: tlsOption,
  ...runOptions,
}
const named = { ...connection, dialect: Type.Optional(Type.Union([Type.Literal('mysql'), Type.Literal('mariadb')])) }

export const optionsSchema = vendorOptions(
  { ...connection, mariadb: Type.Optional(Type.Object(connection, { additionalProperties: false })) },
  named,
)

export type MysqlOptions = Static<typeof optionsSchema>
type ConnectionOptions = Omit<MysqlOptions, 'connections' | 'mariadb'> & { readonly dialect?: 'mysql' | 'mariadb' }

/** One database. */
export interface MysqlPlan extends ConnectionPlan {
  readonly dialect: 'mysql' | 'mariadb'
  /** The options of the driver. */
  readonly client: Readonly<Record<string, unknown>>
}

interface Variables {
  readonly MYSQL_URL: string | undefined
  readonly MARIADB_URL: string | undefined
}

/** The databases of options and variables: a URL of the environment is served *instead* of the configured one. Throws `INVALID_CONFIG`. */
export function plansOf({ connections, mariadb, ...own }: MysqlOptions, variables: Variables): MysqlPlan[] {
  const main: Record<string, ConnectionOptions> = {
    mysql: servedAt(own, variables.MYSQL_URL),
    mariadb: { ...servedAt(mariadb ?? {}, variables.MARIADB_URL), dialect: 'mariadb' },
  }
  return plansByName(main, connections, planOf)
}

function planOf(name: string, given: ConnectionOptions): Unplaced<MysqlPlan> {
  const { dialect = 'mysql', statementTimeoutMs, poolSize, socketPath, tls, url } = given
  const address = addressOf(name, given, FORM)
  const ssl = tls ?? (url !== undefined && wantsTls(readUrl(name, url, FORM)))
  return {
    name,
    dialect,
    statementTimeoutMs,
    poolSize,
    // The driver gets no URL: it would read the other parts of the URL as its own options.
    client: {
      ...address,
      ...(socketPath !== undefined && { socketPath }),
      ...(ssl !== false && { ssl: ssl === true ? {} : certificatesOf(ssl) }),
    },
  }
}

const wantsTls = ({ searchParams }: URL): boolean =>
  /^(true|require|verify)/i.test(searchParams.get('ssl') ?? searchParams.get('ssl-mode') ?? '')
