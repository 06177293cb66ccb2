/** Options that all connections share: a vendor declares only its own in addition. */

import { readFileSync } from 'node:fs'
import * as Type from 'typebox'
import { fail } from '../errors.js'

const closed = { additionalProperties: false } as const

/** How a statement is run. */
export const runOptions = {
  statementTimeoutMs: Type.Optional(Type.Integer({ minimum: 1, description: 'Longest time of one statement, in milliseconds.' })),
  poolSize: Type.Optional(Type.Integer({ minimum: 1, description: 'Overrides DB_POOL_SIZE.' })),
}

/** The address of a server and the credentials: a URL of this form, or parts. */
export const addressOptions = (form: string) => ({
  url: Type.Optional(Type.String({ description: `${form}; parts that it leaves out may be given as options of their own.` })),
  host: Type.Optional(Type.String()),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535 })),
  database: Type.Optional(Type.String()),
  user: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
})

/** True for the authorities of the system, or the files to use. */
export const tlsOption = Type.Optional(
  Type.Union([
    Type.Boolean(),
    Type.Object(
      {
        ca: Type.Optional(Type.String({ description: "A PEM file with the server's certificate authority." })),
        cert: Type.Optional(Type.String({ description: 'A PEM file with the client certificate.' })),
        key: Type.Optional(Type.String({ description: 'The PEM file of its key.' })),
        rejectUnauthorized: Type.Optional(Type.Boolean({ default: true })),
      },
      closed,
    ),
  ]),
)

/** Paths of PEM files for a connection over TLS, and whether the server's certificate is checked (it is by default). */
export interface TlsFiles {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly rejectUnauthorized?: boolean
}

/** Options for TLS in Node, with the files read. Throws `INVALID_CONFIG` for a file that cannot be read. */
export const certificatesOf = ({ rejectUnauthorized = true, ...files }: TlsFiles) => ({
  ...readPemFiles(files),
  rejectUnauthorized,
})

/** The options of a vendor: `main` for the default database, and further databases by name, each with the options `named`. */
export const vendorOptions = <M extends Type.TProperties, N extends Type.TProperties>(main: M, named: N) =>
  Type.Object(
    {
      ...main,
      connections: Type.Optional(
        Type.Record(Type.String(), Type.Object(named, closed), {
          description: 'Further databases by name; DB_VENDOR chooses one by that name.',
        }),
      ),
    },
    closed,
  )

/** The parts of every plan that do not concern the address. */
export interface ConnectionPlan {
  /** The vendor's name that refers to it. */
  readonly name: string
  readonly statementTimeoutMs: number | undefined
  readonly poolSize: number | undefined
  /** True where the options contain an address or credentials, not only settings for running statements. */
  readonly configured: boolean
}

/** A plan whose place in the configuration is not checked. */
export type Unplaced<P extends ConnectionPlan> = Omit<P, 'configured'>

/** Options that contain no address. */
const NO_ADDRESS = [
  'dialect',
  'readOnly',
  'statementTimeoutMs',
  'poolSize',
  'tls',
  'applicationName',
  'labels',
  'maximumBytesBilled',
]

const isConfigured = (given: object): boolean =>
  Object.entries(given).some(([key, value]) => value !== undefined && !NO_ADDRESS.includes(key))

/** A plan for every database, under the names that DB_VENDOR accepts. Throws `INVALID_CONFIG` for a duplicate name. */
export function plansByName<C extends object, P extends object>(
  main: Readonly<Record<string, C>>,
  connections: Readonly<Record<string, C>> | undefined,
  planOf: (name: string, given: C) => P,
): (P & Pick<ConnectionPlan, 'configured'>)[] {
  const named = Object.entries(connections ?? {})
  const twice = named.find(([name]) => Object.hasOwn(main, name))
  if (twice) fail('INVALID_CONFIG', `'${twice[0]}' is also configured outside 'connections'`, { path: `connections.${twice[0]}` })
  return [...Object.entries(main), ...named].map(([name, given]) => ({ ...planOf(name, given), configured: isConfigured(given) }))
}

/** The contents of the named files, by the names of the options. Throws `INVALID_CONFIG` at `tls.<name>` for a file that cannot be read. */
export function readPemFiles<N extends string>(
  files: Readonly<Partial<Record<N, string | undefined>>>,
): Partial<Record<N, string>> {
  const named = Object.entries<string | undefined>(files).flatMap(([name, file]) =>
    file === undefined ? [] : [[name, readPem(file, `tls.${name}`)]],
  )
  return Object.fromEntries(named) as Partial<Record<N, string>>
}

function readPem(file: string, path: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return fail('INVALID_CONFIG', `The file '${file}' cannot be read`, { path })
  }
}
