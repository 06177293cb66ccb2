import { fail, type Static, Type } from '@grainline/core'
import {
  agreed,
  type ConnectionPlan,
  plansByName,
  readUrl,
  runOptions,
  servedAt,
  type Unplaced,
  type UrlForm,
  vendorOptions,
} from '@grainline/core/vendor'

const FORM: UrlForm = { protocols: ['bigquery'], example: 'bigquery://project/dataset?location=EU' }

const address = {
  projectId: Type.Optional(Type.String({ description: 'The project that pays for the queries.' })),
  dataset: Type.Optional(Type.String({ description: 'The dataset of tables for which the model names no schema.' })),
  location: Type.Optional(Type.String()),
}
const connection = {
  url: Type.Optional(
    Type.String({ description: `${FORM.example}; parts that it leaves out may be given as options of their own.` }),
  ),
  ...address,
  keyFile: Type.Optional(
    Type.String({ description: 'The JSON file of a service account. Default: the credentials of the machine.' }),
  ),
  credentials: Type.Optional(
    Type.Object({ client_email: Type.String(), private_key: Type.String() }, { description: 'The contents of such a file.' }),
  ),
  apiEndpoint: Type.Optional(Type.String({ description: 'The address of a private endpoint of the API.' })),
  maximumBytesBilled: Type.Optional(
    Type.Integer({ minimum: 1, description: 'BigQuery refuses a query that would read more bytes; it then costs nothing.' }),
  ),
  labels: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: 'The labels of every job. Default: application: grainline.' }),
  ),
  ...runOptions,
}

export const optionsSchema = vendorOptions(connection, connection)
export type BigqueryOptions = Static<typeof optionsSchema>
type ConnectionOptions = Omit<BigqueryOptions, 'connections'>
type Address = { readonly [K in keyof typeof address]?: string }
const PARTS: readonly (keyof Address)[] = ['projectId', 'dataset', 'location']

/** One project, as one account. */
export interface BigqueryPlan extends ConnectionPlan {
  readonly dialect: 'bigquery'
  readonly address: Address
  /** How the driver finds and shows who it is. */
  readonly client: Readonly<Record<string, unknown>>
  readonly account: string | undefined
  readonly maximumBytesBilled: number | undefined
  readonly labels: Readonly<Record<string, string>>
}

interface Variables {
  readonly BIGQUERY_URL: string | undefined
}

/** The projects of options and variables: a URL of the environment is served *instead* of the configured one. Throws `INVALID_CONFIG`. */
export const plansOf = ({ connections, ...own }: BigqueryOptions, { BIGQUERY_URL: url }: Variables): BigqueryPlan[] =>
  plansByName({ bigquery: servedAt(own, url, PARTS) }, connections, planOf)

function planOf(name: string, given: ConnectionOptions): Unplaced<BigqueryPlan> {
  const { url, keyFile, credentials, apiEndpoint, statementTimeoutMs, poolSize, maximumBytesBilled } = given
  if (keyFile !== undefined && credentials !== undefined)
    fail('INVALID_CONFIG', `'${name}' is given both keyFile and credentials; one of them shows who asks`, { path: 'credentials' })
  const said = url === undefined ? {} : partsOf(readUrl(name, url, FORM))
  return {
    name,
    dialect: 'bigquery',
    statementTimeoutMs,
    poolSize,
    address: agreed<Address>(name, PARTS, said, given),
    client: {
      ...(keyFile !== undefined && { keyFilename: keyFile }),
      ...(credentials !== undefined && { credentials }),
      ...(apiEndpoint !== undefined && { apiEndpoint }),
    },
    account: keyFile ?? credentials?.client_email,
    maximumBytesBilled,
    labels: given.labels ?? { application: 'grainline' },
  }
}

const partsOf = ({ hostname, pathname, searchParams }: URL): Address => ({
  projectId: decodeURIComponent(hostname),
  dataset: decodeURIComponent(pathname.slice(1)),
  location: searchParams.get('location') ?? '',
})
