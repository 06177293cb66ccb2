import { fail, type Static, Type } from '@grainline/core'
import {
  agreed,
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

const FORM: UrlForm = {
  protocols: ['databricks'],
  example: 'databricks://token:TOKEN@host/catalog/schema?path=/sql/1.0/warehouses/ID',
}

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))

const connection = {
  url: text(`${FORM.example}; parts that it leaves out may be given as options of their own.`),
  host: text('The workspace, such as dbc-1234.cloud.databricks.com.'),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535 })),
  path: text('The HTTP path of the warehouse, from its connection details.'),
  catalog: text('Where tables without a catalog are.'),
  schema: text('Where tables without a schema are.'),
  token: text('A personal access token.'),
  clientId: text('A service principal, in place of a token.'),
  clientSecret: text('Its secret.'),
  tls: Type.Optional(
    Type.Object(
      {
        ca: Type.Optional(Type.String({ description: 'A PEM file with a certificate authority, in addition to those of Node.' })),
        cert: Type.Optional(Type.String({ description: 'A PEM file with the client certificate.' })),
        key: Type.Optional(Type.String({ description: 'The PEM file of its key.' })),
      },
      { additionalProperties: false },
    ),
  ),
  ...runOptions,
}

export const optionsSchema = vendorOptions(connection, connection)
export type DatabricksOptions = Static<typeof optionsSchema>
type ConnectionOptions = Omit<DatabricksOptions, 'connections'>

/** Who asks. */
export type Access = { readonly token: string } | { readonly clientId: string; readonly clientSecret: string }

/** One warehouse, always over TLS. */
export interface DatabricksPlan extends ConnectionPlan {
  readonly dialect: 'databricks'
  /** Empty if not set; queries are then refused. */
  readonly host: string
  readonly port: number
  readonly path: string
  readonly catalog: string | undefined
  readonly schema: string | undefined
  readonly access: Access
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string }
}

interface Variables {
  readonly DATABRICKS_URL: string | undefined
}

/** Where and who. */
const PARTS = ['host', 'port', 'path', 'catalog', 'schema', 'token', 'clientId', 'clientSecret'] as const
type Address = Pick<ConnectionOptions, (typeof PARTS)[number]>

/** The databases of options and variables: a URL of the environment is served *instead* of the configured one. Throws `INVALID_CONFIG`. */
export const plansOf = ({ connections, ...own }: DatabricksOptions, { DATABRICKS_URL: url }: Variables): DatabricksPlan[] =>
  plansByName({ databricks: servedAt(own, url, PARTS) }, connections, planOf)

function planOf(name: string, given: ConnectionOptions): Unplaced<DatabricksPlan> {
  const said = given.url === undefined ? {} : partsOf(readUrl(name, given.url, FORM))
  const address = agreed<Address>(name, PARTS, said, given)
  const { host = '', port = 443, path = '', catalog, schema, token = '', clientId, clientSecret = '' } = address
  if (Object.keys(address).length > 0) requireAll(name, address)
  return {
    name,
    dialect: 'databricks',
    statementTimeoutMs: given.statementTimeoutMs,
    poolSize: given.poolSize,
    host,
    port,
    path,
    catalog,
    schema,
    access: clientId === undefined ? { token } : { clientId, clientSecret },
    tls: readPemFiles(given.tls ?? {}),
  }
}

function requireAll(name: string, { host, path, token, clientId, clientSecret }: Address): void {
  const access = clientId === undefined ? { token } : { clientSecret }
  const missing = Object.entries({ host, path, ...access }).find(([, value]) => value === undefined)
  if (missing) fail('INVALID_CONFIG', `The database '${name}' lacks its ${missing[0]}`, { path: missing[0] })
  if (clientId !== undefined && token !== undefined)
    fail('INVALID_CONFIG', `The database '${name}' has a token and a service principal`, { path: 'token' })
}

/** `token` instead of a user means that a token follows. */
function partsOf({ hostname, port, pathname, username, password, searchParams }: URL): Address {
  const [, catalog, schema] = pathname.split('/').map(decodeURIComponent)
  const [user, secret] = [decodeURIComponent(username), decodeURIComponent(password)]
  return {
    host: hostname,
    ...(port !== '' && { port: Number(port) }),
    path: searchParams.get('path') ?? '',
    ...(catalog !== undefined && { catalog }),
    ...(schema !== undefined && { schema }),
    ...(user === 'token' ? { token: secret! } : { clientId: user!, clientSecret: secret! }),
  }
}
