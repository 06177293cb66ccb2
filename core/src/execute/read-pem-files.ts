import { readFileSync } from 'node:fs'
import { fail } from '../errors.js'

/** The texts of the files that are named, under their own names. Throws `INVALID_CONFIG` at `tls.<name>` for one that cannot be read. */
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
