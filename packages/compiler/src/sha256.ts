/** Takes the place of `core/src/sha256.ts` in this package, for places without Node. */
import { sha256 as create } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

interface Sha256 {
  update(text: string): unknown
  hex(): string
}

/** SHA-256 of texts as UTF-8. */
export function sha256(): Sha256 {
  const hash = create.create()
  return { update: (text) => hash.update(utf8ToBytes(text)), hex: () => bytesToHex(hash.digest()) }
}
