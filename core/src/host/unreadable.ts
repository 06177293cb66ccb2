import { readdirSync } from 'node:fs'
import path from 'node:path'
import { codeOf, messageOf } from '../invariant.js'
import { didYouMean, nearest } from '../nearest.js'

/** Why a file cannot be read; where there is none, with the file beside it that may be meant. */
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
