import { DEFAULT_TOOLSETS, TOOLSETS, type Toolset } from './tools/toolsets.js'

/** The settings that the process reads from its environment. */
export interface McpSettings {
  readonly apiBaseUrl: string
  readonly apiKey: string | undefined
  readonly apiKeyHeader: string
  /** For whom it asks, in the form of the header: the base64 of a principal in JSON. */
  readonly onBehalfOf: string | undefined
  readonly timeoutMs: number
  readonly tls: { readonly cert?: string; readonly key?: string; readonly ca?: string }
  readonly transport: 'stdio' | 'http'
  readonly host: string
  readonly port: number
  readonly allowedHosts: readonly string[]
  /** Maximum number of connections of one address whose request has not arrived completely. */
  readonly clientMaxIncomplete: number
  /** Whether callers over HTTP send their own key. The key of the environment is then not used. */
  readonly forwardClientKey: boolean
  readonly allowUnauthenticated: boolean
  readonly toolsets: readonly Toolset[]
  readonly limits: { readonly rows: number; readonly characters: number }
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Throws an error that names the variable and its valid values. */
export function readSettings(env: Environment): McpSettings {
  const text = (name: string): string | undefined => env[name]?.trim() || undefined
  const forwardClientKey = flagOf('MCP_FORWARD_CLIENT_KEY', text('MCP_FORWARD_CLIENT_KEY'))
  const as = text('MCP_AS')
  if (forwardClientKey && as !== undefined)
    throw new Error('MCP_AS is set, and with MCP_FORWARD_CLIENT_KEY=true callers say who they are. Set one of them.')
  return {
    apiBaseUrl: addressOf(text('API_BASE_URL') ?? 'http://localhost:8000'),
    apiKey: text('API_KEY') ?? text('SVC_API_KEY'),
    apiKeyHeader: text('API_KEY_HEADER') ?? 'X-API-Key',
    onBehalfOf: as === undefined ? undefined : namedForHeader(as),
    timeoutMs: countOf('API_TIMEOUT', text('API_TIMEOUT') ?? '30') * 1000,
    tls: given({ cert: text('API_CLIENT_CERT'), key: text('API_CLIENT_KEY'), ca: text('API_CA') }),
    transport: oneOf('MCP_TRANSPORT', text('MCP_TRANSPORT') ?? 'stdio', ['stdio', 'http']),
    host: text('MCP_SERVER_HOST') ?? '127.0.0.1',
    port: countOf('MCP_SERVER_PORT', text('MCP_SERVER_PORT') ?? '9000', 0),
    allowedHosts: listOf(text('MCP_ALLOWED_HOSTS')),
    clientMaxIncomplete: countOf('HTTP_CLIENT_MAX_INCOMPLETE', text('HTTP_CLIENT_MAX_INCOMPLETE') ?? '100'),
    forwardClientKey,
    allowUnauthenticated: flagOf('MCP_ALLOW_UNAUTHENTICATED', text('MCP_ALLOW_UNAUTHENTICATED')),
    toolsets: toolsetsOf(text('MCP_TOOLSETS')),
    limits: limitsOf({ rows: text('MCP_MAX_ROWS'), characters: text('MCP_MAX_CHARS') }),
  }
}

export function limitsOf({ rows = '100', characters = '20000' }: { rows?: string | undefined; characters?: string | undefined }) {
  return { rows: countOf('MCP_MAX_ROWS', rows), characters: countOf('MCP_MAX_CHARS', characters, 200) }
}

export function toolsetsOf(written: string | undefined): readonly Toolset[] {
  const all = Object.keys(TOOLSETS) as Toolset[]
  return written === undefined ? DEFAULT_TOOLSETS : listOf(written).map((name) => oneOf('MCP_TOOLSETS', name, all))
}

/** A name alone has no roles and no attributes. */
function namedForHeader(as: string): string {
  if (as === 'admin')
    throw new Error("MCP_AS is 'admin'. An administrator has a key of their own: set API_KEY to it, and no MCP_AS.")
  return Buffer.from(as.startsWith('{') ? as : JSON.stringify({ name: as })).toString('base64')
}

function addressOf(written: string): string {
  if (!URL.canParse(written) || !/^https?:/.test(written))
    throw new Error(`API_BASE_URL is '${written}'. Write an address such as http://localhost:8000.`)
  return written.replace(/(?<!\/)\/+$/, '')
}

function countOf(name: string, written: string, least = 1): number {
  const count = Number(written)
  if (!Number.isInteger(count) || count < least)
    throw new Error(`${name} is '${written}'. Write a whole number of at least ${least}.`)
  return count
}

function flagOf(name: string, written = 'false'): boolean {
  return oneOf(name, written.toLowerCase(), ['true', 'false']) === 'true'
}

function oneOf<T extends string>(name: string, written: string, known: readonly T[]): T {
  const found = known.find((one) => one === written)
  if (found === undefined) throw new Error(`${name} is '${written}'. Write one of: ${known.join(', ')}.`)
  return found
}

const listOf = (written = ''): readonly string[] =>
  written
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const given = <T extends Record<string, string | undefined>>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: string }
