import { REQUEST } from '../wire/codes.js'
import { MessageReader } from '../wire/message-reader.js'
import { fatal, refuse } from '../wire/pg-error.js'

/** The possible first packets of a client. */
export type FirstPacket =
  | { readonly kind: 'ssl' }
  | { readonly kind: 'gss' }
  | { readonly kind: 'cancel'; readonly processId: number; readonly secret: Buffer }
  | ({ readonly kind: 'startup' } & Startup)

export interface Startup {
  /** The newest minor version of protocol 3 that both sides support, from 0 to 2. */
  readonly minor: number
  /** Whether the client requested a newer version or unknown options. */
  readonly negotiate: boolean
  /** The protocol options (`_pq_.…`) that are not supported. */
  readonly unknownOptions: readonly string[]
  readonly parameters: ReadonlyMap<string, string>
}

/** The size limit of the first packet, as in PostgreSQL. */
export const MOST_STARTUP_BYTES = 10_000
const NEWEST_MINOR = 2

/** Reads a first packet without its length. Throws the error that ends the connection. */
export function readFirstPacket(packet: Buffer): FirstPacket {
  const reader = new MessageReader(packet)
  const code = reader.int32()
  if (code === REQUEST.ssl) return { kind: 'ssl' }
  if (code === REQUEST.gssEncryption) return { kind: 'gss' }
  if (code === REQUEST.cancel) return { kind: 'cancel', processId: reader.int32(), secret: reader.bytes(reader.left) }
  const [major, minor] = [code >>> 16, code & 0xffff]
  if (major !== 3)
    throw fatal('0A000', `unsupported frontend protocol ${major}.${minor}: server supports 3.0 to 3.${NEWEST_MINOR}`)
  return { kind: 'startup', ...readStartup(reader, minor) }
}

function readStartup(reader: MessageReader, minor: number): Startup {
  const parameters = new Map<string, string>()
  const unknownOptions: string[] = []
  for (let name = reader.cstring(); name !== ''; name = reader.cstring()) {
    const value = reader.cstring()
    if (name.startsWith('_pq_.')) unknownOptions.push(name)
    else parameters.set(name, value)
  }
  if (reader.left > 0) throw fatal('08P01', 'invalid startup packet layout: expected terminator as last byte')
  if (!parameters.get('user')) throw fatal('28000', 'no PostgreSQL user name specified in startup packet')
  const negotiate = minor > NEWEST_MINOR || unknownOptions.length > 0
  return { minor: Math.min(minor, NEWEST_MINOR), negotiate, unknownOptions, parameters }
}

/** Names the principal for whom a client asks: as an option of the login for the connection, by SET LOCAL for a transaction. Poolers would give any other setting to the next client. */
export const ON_BEHALF_OF_OPTION = 'grainline.on_behalf_of'

/** Names of settings are not case-sensitive. */
export const isNaming = (name: string): boolean => name.toLowerCase() === ON_BEHALF_OF_OPTION

type Setting = readonly [name: string, value: string]

/** The settings of a startup message: its `options`, and those of its parameters that are not about the connection alone. */
export const settingsIn = ({ parameters }: Startup, isSetting: (name: string) => boolean): readonly Setting[] => [
  ...[...parameters].filter(([name]) => isSetting(name)),
  ...parseOptions(parameters.get('options') ?? ''),
]

/** The settings in `options` of a startup message. It is a command line: `-c name=value`, `--name=value`. A backslash escapes a blank. */
function parseOptions(line: string): readonly Setting[] {
  const words = (line.match(/(?:\\.|[^\s\\])+/g) ?? []).map((word) => word.replace(/\\(.)/g, '$1'))
  const settings: Setting[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const given =
      word === '-c' ? words[++at] : word.startsWith('-c') ? word.slice(2) : word.startsWith('--') ? word.slice(2) : undefined
    const equals = given?.indexOf('=') ?? -1
    if (given === undefined || equals <= 0) refuse('42601', `invalid command-line argument for server process: ${word}`)
    // On a command line, dashes stand for underscores.
    settings.push([given!.slice(0, equals).replaceAll('-', '_'), given!.slice(equals + 1)])
  }
  return settings
}
