import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fail } from '../errors.js'
import { codeOf, messageOf } from '../invariant.js'
import { type Dotenv, readDotenv } from './read-dotenv.js'

/** The variables of the process and those of `.env`, separate because the former have precedence. */
export interface Environment {
  readonly process: Readonly<Record<string, string | undefined>>
  readonly dotenv: Readonly<Record<string, string | undefined>>
  /** The numbers of the lines of `.env` that cannot be read. */
  readonly unreadable?: readonly number[]
}

/** The only reader of `process.env`. `.env` is read if `dotenv` names its folder; a missing file is like an empty one. */
export function readEnvironment({
  env = process.env,
  dotenv,
}: {
  env?: Environment['process']
  dotenv?: string
} = {}): Environment {
  if (dotenv === undefined) return { process: { ...env }, dotenv: {} }
  const { values, unreadable } = readFile(path.join(dotenv, '.env'))
  return { process: { ...env }, dotenv: values, unreadable }
}

/** The effective value; an empty text counts as none. */
export function lookup(environment: Environment, name: string): string | undefined {
  return environment.process[name] || environment.dotenv[name] || undefined
}

function readFile(file: string): Dotenv {
  try {
    return readDotenv(readFileSync(file))
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return { values: {}, unreadable: [] }
    return fail('INVALID_CONFIG', `${file} cannot be read: ${messageOf(cause)}`, { cause })
  }
}
