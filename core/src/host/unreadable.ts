import { readdirSync } from 'node:fs'
import path from 'node:path'
import { codeOf, messageOf } from '../invariant.js'
import { didYouMean, nearest } from '../nearest.js'

/** Why a file cannot be read; if it does not exist, with a similar file in its folder. */
export function unreadable(file: string, cause: unknown): string {
  const code = codeOf(cause)
  if (code === 'ENOENT') return `there is no file ${file}${didYouMean(nearest(path.basename(file), filesBeside(file), 1))}`
  if (code === 'EISDIR') return `${file} is a folder`
  if (code === 'EACCES') return `this process may not read ${file}`
  return messageOf(cause)
}

function filesBeside(file: string): readonly string[] {
  try {
    return readdirSync(path.dirname(file))
  } catch {
    return []
  }
}
