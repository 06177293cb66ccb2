import { fail, type Static, Type } from '@grainline/core'
import {
  addressOf,
  addressOptions,
  agreed,
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

const FORM: UrlForm = { protocols: ['http', 'https'], example: 'https://user:password@host:port/catalog/schema' }

const { url, host, port, user, password } = addressOptions(FORM.example)
const connection = {
  url,
  host,
  port,
  catalog: Type.Optional(Type.String({ description: 'The catalog of tables for which the model names no database.' })),
  schema: Type.Optional(Type.String({ description: 'The schema of tables for which the model names no schema.' })),
  user,
  password,
  token: Type.Optional(Type.String({ description: 'A bearer token, such as a JWT, instead of a password.' })),
  tls: tlsOption,
  readOnly: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Set to false where a gateway may send the statements of one transaction to several clusters.',
    }),
  ),
  ...runOptions,
}

export const optionsSchema = vendorOptions(connection, connection)
export type TrinoOptions = Static<typeof optionsSchema>
type ConnectionOptions = Omit<TrinoOptions, 'connections'>

/** One cluster, as one user sees it. */
export interface TrinoPlan extends ConnectionPlan {
  readonly dialect: 'trino'
  /** The coordinator, without a path. */
  readonly url: string
  readonly catalog?: string | undefined
  readonly schema?: string | undefined
  readonly user: string
  /** The value of the header Authorization. */
  readonly authorization: string | undefined
  readonly tls: ReturnType<typeof certificatesOf> | undefined
  readonly readOnly: boolean
}

interface Variables {
  readonly TRINO_URL: string | undefined
  readonly TRINO_TOKEN: string | undefined
}

/** The clusters of options and variables: a URL of the environment is served *instead* of the configured one. Throws `INVALID_CONFIG`. */
export function plansOf({ connections, ...own }: TrinoOptions, { TRINO_URL, TRINO_TOKEN }: Variables): TrinoPlan[] {
  const { catalog, schema, token, ...others } = own
  const main: ConnectionOptions = TRINO_URL === undefined ? own : servedAt<ConnectionOptions>(others, TRINO_URL)
  return plansByName({ trino: TRINO_TOKEN === undefined ? main : { ...main, token: TRINO_TOKEN } }, connections, planOf)
}

type Place = Pick<TrinoPlan, 'catalog' | 'schema'>

/** Missing values have the defaults of Trino's command line: https://trino.io/docs/current/client/cli.html */
function planOf(name: string, given: ConnectionOptions): Unplaced<TrinoPlan> {
  const { tls, token, statementTimeoutMs, poolSize, readOnly = true } = given
  const secure = (tls ?? (given.url !== undefined && readUrl(name, given.url, FORM).protocol === 'https:')) !== false
  const address = addressOf(name, given, FORM)
  const { host: at = 'localhost', port: number = secure ? 443 : 8080, user: who = 'grainline', password: secret } = address
  const [catalog, schema, ...rest] = (address.database ?? '').split('/')
  if (rest.length > 0) fail('INVALID_CONFIG', `The url of '${name}' must be of the form ${FORM.example}`, { path: 'url' })
  const authorization = authorizationOf(name, who, secret, token)
  if (authorization !== undefined && !secure)
    fail('INVALID_CONFIG', `Trino takes a password or token over TLS alone: let the url of '${name}' begin with https`, {
      path: 'tls',
    })
  return {
    name,
    dialect: 'trino',
    statementTimeoutMs,
    poolSize,
    url: `${secure ? 'https' : 'http'}://${at.includes(':') ? `[${at}]` : at}:${number}`,
    ...agreed<Place>(name, ['catalog', 'schema'], { catalog, schema }, given),
    user: who,
    authorization,
    tls: typeof tls === 'object' ? certificatesOf(tls) : undefined,
    readOnly,
  }
}

function authorizationOf(name: string, user: string, password: string | undefined, token: string | undefined) {
  if (password !== undefined && token !== undefined)
    fail('INVALID_CONFIG', `'${name}' has a password and a token, and can show one of them`, { path: 'token' })
  if (token !== undefined) return `Bearer ${token}`
  return password === undefined ? undefined : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}
