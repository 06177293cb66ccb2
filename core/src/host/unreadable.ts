import { codeOf, messageOf } from '../invariant.js'
import { similarFile } from '../service/similar-file.js'

/** Why a file cannot be read; if it does not exist, with a similar file in its folder. */
export function unreadable(file: string, cause: unknown): string {
  const code = codeOf(cause)
  if (code === 'ENOENT') return `there is no file ${file}${similarFile(file)}`
  if (code === 'EISDIR') return `${file} is a folder`
  if (code === 'EACCES') return `this process may not read ${file}`
  return messageOf(cause)
}
