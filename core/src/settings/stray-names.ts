import { type Finding, warning } from '../errors.js'
import { nearest } from '../nearest.js'
import type { Environment } from './environment.js'

/** Warnings about what the operator wrote and the server does not read: lines of `.env`, and names that are almost those of settings. */
export function strayNames(settings: readonly string[], { process, dotenv, unreadable = [] }: Environment): Finding[] {
  const known = new Set(settings)
  const almost = Object.entries({ '.env': dotenv, 'the environment': process }).flatMap(([where, values]) =>
    Object.keys(values).flatMap((name) => {
      const [near] = known.has(name) ? [] : nearest(name, known, 1, editsOf(name))
      if (near === undefined || values[near] !== undefined) return []
      return [remark(name, `${name} in ${where} is not a setting and has no effect; did you mean '${near}'?`)]
    }),
  )
  return [...unreadable.map((line) => remark('.env', unreadableLine(line))), ...almost]
}

const remark = (path: string, message: string): Finding => warning('INVALID_VARIABLE', message, { path })

const unreadableLine = (line: number): string =>
  `Line ${line} of .env is not NAME=value and has no effect; write a comment with # in front, and close every quotation mark`

/** A short name is like many others: HOST is no PORT. */
const editsOf = (name: string): number => (name.length < 8 ? 1 : 2)
