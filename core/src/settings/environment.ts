import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { fail } from '../errors.js'
import { codeOf, messageOf } from '../invariant.js'

/** The variables of the process and those of `.env`, separate because the former have precedence. */
export interface Environment {
  readonly process: Readonly<Record<string, string | undefined>>
  readonly dotenv: Readonly<Record<string, string | undefined>>
}

/** The only reader of `process.env`. `.env` is read if `dotenv` names its folder; a missing file is like an empty one. */
export function readEnvironment({
  env = process.env,
  dotenv,
}: {
  env?: Environment['process']
  dotenv?: string
} = {}): Environment {
  return { process: { ...env }, dotenv: dotenv === undefined ? {} : readDotenv(path.join(dotenv, '.env')) }
}

/** The effective value; an empty text counts as none. */
export function lookup(environment: Environment, name: string): string | undefined {
  return environment.process[name] || environment.dotenv[name] || undefined
}

function readDotenv(file: string): Environment['dotenv'] {
  try {
    return parseEnv(readFileSync(file, 'utf8')) as Environment['dotenv']
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return {}
    return fail('INVALID_CONFIG', `${file} cannot be read: ${messageOf(cause)}`, { cause })
  }
}
