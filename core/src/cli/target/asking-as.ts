import path from 'node:path'
import { namedForHeader, ON_BEHALF_OF } from '../../auth/on-behalf-of.js'
import { ADMIN, type Principal } from '../../auth/principal.js'
import { readKeysFile } from '../../auth/read-keys-file.js'
import { isRecord } from '../../model/shape.js'
import { didYouMean, nearest } from '../../nearest.js'
import { lookup, readEnvironment } from '../../settings/environment.js'
import { type CommandIo, UsageError } from '../command.js'

/** Whose rights a question has: those of a principal in JSON, of an entry of `API_KEYS_FILE`, or `admin`. */
export type NamedPrincipal = Pick<Principal, 'name' | 'roles' | 'attributes' | 'models'>

/** The principal of `--as`; `undefined` without it. A server knows its keys itself, and is sent a name alone. */
export function principalAs(given: string | undefined, io: CommandIo, place: 'here' | 'server'): NamedPrincipal | undefined {
  if (given === undefined) return undefined
  if (given.trim().startsWith('{')) return parsed(given)
  if (place === 'server') {
    if (given !== ADMIN) return { name: given }
    throw new UsageError('--as admin is for files of this machine: with --server, use the key of an administrator, and no --as')
  }
  if (given === ADMIN) return { name: ADMIN, roles: [ADMIN] }
  const file = lookup(readEnvironment({ env: io.env, dotenv: io.cwd }), 'API_KEYS_FILE')
  if (file === undefined)
    throw new UsageError(
      `--as is admin, a name of API_KEYS_FILE, or JSON such as {"name":"ann","roles":["sales"]}; API_KEYS_FILE is not set`,
    )
  const entries = readKeysFile(inFolder(file, io)).map(({ principal }) => principal)
  const found = entries.find(({ name }) => name === given)
  const known = entries.flatMap(({ name }) => name ?? [])
  if (!found) throw new UsageError(`API_KEYS_FILE has no entry '${given}'${didYouMean(nearest(given, known))}`)
  const { name, roles, attributes, models } = found
  return { name, roles, attributes, ...(models && { models }) }
}

/** The headers of its requests. */
export const headersAs = (principal: NamedPrincipal | undefined): Readonly<Record<string, string>> =>
  principal === undefined ? {} : { [ON_BEHALF_OF]: namedForHeader(principal) }

function parsed(text: string): NamedPrincipal {
  try {
    const read: unknown = JSON.parse(text)
    if (isRecord(read)) return read
  } catch {
    // Below.
  }
  throw new UsageError('--as is no JSON object with name, roles and attributes')
}

const inFolder = (file: string, { cwd }: CommandIo): string => path.resolve(cwd, file)
