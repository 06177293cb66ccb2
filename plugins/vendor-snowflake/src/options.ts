import { readFileSync } from 'node:fs'
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

const FORM: UrlForm = {
  protocols: ['snowflake'],
  example: 'snowflake://user:password@account/database/schema?warehouse=…&role=…',
}

const address = {
  account: Type.Optional(Type.String({ description: 'The account, as organisation-account or as the locator with its region.' })),
  user: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  database: Type.Optional(Type.String()),
  schema: Type.Optional(Type.String()),
  warehouse: Type.Optional(Type.String()),
  role: Type.Optional(Type.String()),
}
const connection = {
  url: Type.Optional(
    Type.String({ description: `${FORM.example}; parts that it leaves out may be given as options of their own.` }),
  ),
  ...address,
  token: Type.Optional(Type.String({ description: 'An OAuth token, or a programmatic access token with `authenticator`.' })),
  privateKeyFile: Type.Optional(Type.String({ description: 'The PEM file of a private key, instead of a password.' })),
  privateKeyPassword: Type.Optional(Type.String()),
  authenticator: Type.Optional(
    Type.String({ description: 'One of the authenticators of Snowflake; the default depends on the other options.' }),
  ),
  accessUrl: Type.Optional(Type.String({ description: 'The address of the account through a private link.' })),
  applicationName: Type.Optional(Type.String({ description: 'The query tag of every statement. Default: grainline.' })),
  ...runOptions,
}

export const optionsSchema = vendorOptions(connection, connection)
export type SnowflakeOptions = Static<typeof optionsSchema>
type ConnectionOptions = Omit<SnowflakeOptions, 'connections'>
type Address = { readonly [K in keyof typeof address]?: string }
const PARTS = Object.keys(address) as readonly (keyof Address)[]

/** One account, as one user. */
export interface SnowflakePlan extends ConnectionPlan {
  readonly dialect: 'snowflake'
  readonly address: Address
  readonly accessUrl: string | undefined
  readonly applicationName: string
  /** How the driver shows who it is. */
  readonly credentials: Readonly<Record<string, string>>
}

interface Variables {
  readonly SNOWFLAKE_URL: string | undefined
}

/** The databases of options and variables: a URL of the environment is served *instead* of the configured one. Throws `INVALID_CONFIG`. */
export const plansOf = ({ connections, ...own }: SnowflakeOptions, { SNOWFLAKE_URL: url }: Variables): SnowflakePlan[] =>
  plansByName({ snowflake: servedAt(own, url, PARTS) }, connections, planOf)

function planOf(name: string, given: ConnectionOptions): Unplaced<SnowflakePlan> {
  const { url, accessUrl, applicationName = 'grainline', statementTimeoutMs, poolSize } = given
  const said = url === undefined ? {} : partsOf(readUrl(name, url, FORM))
  const { password, ...where } = agreed<Address>(name, PARTS, said, given)
  const credentials = credentialsOf(name, { ...given, ...(password !== undefined && { password }) })
  return { name, dialect: 'snowflake', statementTimeoutMs, poolSize, address: where, accessUrl, applicationName, credentials }
}

/** As the drivers of Snowflake for other languages have it. */
function partsOf({ hostname, username, password, pathname, searchParams }: URL): Address {
  const [, database, schema] = pathname.split('/').map(decodeURIComponent)
  return {
    account: decodeURIComponent(hostname),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    ...(database !== undefined && { database }),
    ...(schema !== undefined && { schema }),
    warehouse: searchParams.get('warehouse') ?? '',
    role: searchParams.get('role') ?? '',
  }
}

/** https://docs.snowflake.com/en/developer-guide/node-js/nodejs-driver-authenticate */
function credentialsOf(name: string, given: ConnectionOptions): SnowflakePlan['credentials'] {
  const { password, token, privateKeyFile, privateKeyPassword, authenticator } = given
  const ways = Object.entries({ password, token, privateKeyFile }).filter(([, value]) => value !== undefined)
  if (ways.length > 1) {
    const [one, other] = ways.map(([way]) => way)
    fail('INVALID_CONFIG', `'${name}' is given both ${one} and ${other}; one of them shows who asks`, { path: other! })
  }
  if (privateKeyFile !== undefined)
    return {
      authenticator: authenticator ?? 'SNOWFLAKE_JWT',
      privateKey: keyOf(privateKeyFile),
      ...(privateKeyPassword !== undefined && { privateKeyPass: privateKeyPassword }),
    }
  if (token !== undefined) return { authenticator: authenticator ?? 'OAUTH', token }
  return {
    ...(authenticator !== undefined && { authenticator }),
    ...(password !== undefined && { password }),
  }
}

function keyOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return fail('INVALID_CONFIG', `The file '${file}' cannot be read`, { path: 'privateKeyFile' })
  }
}
