import { lookup, readEnvironment } from '../../settings/environment.js'
import { type CommandIo, UsageError } from '../command.js'
import { readBytes } from '../read-input.js'

const text = { type: 'string' } as const

/** How to reach a server. */
export const serverFlags = {
  server: text,
  'api-key': text,
  'api-key-header': text,
  'client-cert': text,
  'client-key': text,
  ca: text,
} as const

/** Where the model is: a file, or a server and the model's name there; and for whom the command asks. */
export const targetFlags = { ...serverFlags, config: text, model: text, as: text } as const

/** The same, and the format of another product in which the file or folder is read. */
export const modelFlags = { ...targetFlags, from: text } as const

type Given<F> = { readonly [K in keyof F]?: string | undefined }
export type ServerFlags = Given<typeof serverFlags>
export type TargetFlags = Given<typeof targetFlags>
export type ModelFlags = Given<typeof modelFlags>

export interface ServerAccess {
  readonly baseUrl: string
  readonly apiKey: string | undefined
  readonly apiKeyHeader: string | undefined
  /** PEM texts. */
  readonly tls: { readonly cert?: Buffer; readonly key?: Buffer; readonly ca?: Buffer }
}

/** The server of the flags, or else of `GRAINLINE_SERVER`; `undefined` if neither names one. */
export async function serverAccess(flags: ServerFlags, io: CommandIo): Promise<ServerAccess | undefined> {
  const environment = readEnvironment({ env: io.env, dotenv: io.cwd })
  const given = flags.server ?? lookup(environment, 'GRAINLINE_SERVER')
  if (given === undefined) {
    const alone = Object.keys(serverFlags).find((name) => flags[name as keyof ServerFlags] !== undefined)
    if (alone !== undefined) throw new UsageError(`--${alone} needs --server URL`)
    return undefined
  }
  return {
    baseUrl: baseOf(given),
    apiKey: flags['api-key'] ?? lookup(environment, 'GRAINLINE_API_KEY') ?? lookup(environment, 'SVC_API_KEY'),
    apiKeyHeader: flags['api-key-header'] ?? lookup(environment, 'API_KEY_HEADER'),
    tls: await tlsOf(flags, io),
  }
}

function baseOf(server: string): string {
  const url = URL.canParse(server) ? new URL(server) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--server is an http or https URL, not '${server}'`)
  return url.href.replace(/(?<!\/)\/+$/, '')
}

async function tlsOf({ 'client-cert': cert, 'client-key': key, ca }: ServerFlags, io: CommandIo): Promise<ServerAccess['tls']> {
  if ((cert === undefined) !== (key === undefined)) throw new UsageError('--client-cert and --client-key go together')
  return {
    ...(cert !== undefined && { cert: await readBytes(cert, io) }),
    ...(key !== undefined && { key: await readBytes(key, io) }),
    ...(ca !== undefined && { ca: await readBytes(ca, io) }),
  }
}
