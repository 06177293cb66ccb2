import { fail } from '../errors.js'

/** The address of a server, and the credentials. */
export interface ServerAddress {
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly database?: string | undefined
  readonly user?: string | undefined
  readonly password?: string | undefined
}

/** The address of a server: a URL, or its parts. */
export interface ServerOptions extends ServerAddress {
  readonly url?: string | undefined
}

/** The required form of a URL. */
export interface UrlForm {
  /** As `URL` has them, without the colon. */
  readonly protocols: readonly string[]
  readonly example: string
  /** Parts that its query string may contain; they override the others. */
  readonly query?: readonly (keyof ServerAddress)[]
}

const PARTS: readonly (keyof ServerAddress)[] = ['host', 'port', 'database', 'user', 'password']

/** Options with a URL from the environment *instead* of their address, which has these parts. */
export function servedAt<C extends { readonly url?: string | undefined }>(
  given: C,
  url: string | undefined,
  parts: readonly string[] = PARTS,
): C {
  if (url === undefined) return given
  const kept = Object.entries(given).filter(([key]) => !parts.includes(key))
  return { ...(Object.fromEntries(kept) as C), url }
}

/** The address from a URL and the separate options together; missing parts are absent. Throws `INVALID_CONFIG` as `agreed` and `readUrl` do. */
export const addressOf = (name: string, { url, ...given }: ServerOptions, form: UrlForm): ServerAddress =>
  agreed<ServerAddress>(name, PARTS, url === undefined ? {} : partsOf(readUrl(name, url, form), form), given)

/**
 * The parts from a URL and from the separate options; a part that neither has, or that is empty in the URL, is absent. Throws
 * `INVALID_CONFIG` for a part that both contain with different values, because neither has precedence.
 */
export function agreed<A extends object>(name: string, parts: readonly (keyof A & string)[], ofUrl: A, given: A): A {
  const found = parts.flatMap((part) => {
    const said = ofUrl[part] === '' ? undefined : ofUrl[part]
    const beside = given[part]
    if (said !== undefined && beside !== undefined && said !== beside)
      fail('INVALID_CONFIG', `The url of '${name}' has another ${part} than the option '${part}'`, { path: part })
    const value = said ?? beside
    return value === undefined ? [] : [[part, value]]
  })
  return Object.fromEntries(found) as A
}

/** Throws `INVALID_CONFIG` for a URL of another form. */
export function readUrl(name: string, url: string, { protocols, example }: UrlForm): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed !== undefined && protocols.includes(parsed.protocol.slice(0, -1)) && isEncoded(parsed)) return parsed
  return fail('INVALID_CONFIG', `The url of '${name}' must be of the form ${example}`, { path: 'url' })
}

const isEncoded = ({ href }: URL): boolean => {
  try {
    return decodeURIComponent(href) !== ''
  } catch {
    return false
  }
}

function partsOf({ hostname, port, pathname, username, password, searchParams }: URL, { query = [] }: UrlForm): ServerAddress {
  const said: Readonly<Record<keyof ServerAddress, string>> = {
    host: decodeURIComponent(hostname).replace(/^\[(.+)\]$/, '$1'),
    port,
    database: decodeURIComponent(pathname.slice(1)),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  }
  const text = (part: keyof ServerAddress): string | undefined =>
    (query.includes(part) ? searchParams.get(part) : null) || said[part] || undefined
  const portText = text('port')
  return {
    host: text('host'),
    port: portText === undefined ? undefined : Number(portText),
    database: text('database'),
    user: text('user'),
    password: text('password'),
  }
}
