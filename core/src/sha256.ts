/** The only digest of the compiler. Where Node is absent, a build replaces this file by another with the same export. */
import { createHash } from 'node:crypto'

export interface Sha256 {
  update(text: string): unknown
  hex(): string
}

/** SHA-256 of texts as UTF-8. */
export function sha256(): Sha256 {
  const hash = createHash('sha256')
  return { update: (text) => hash.update(text), hex: () => hash.digest('hex') }
}
