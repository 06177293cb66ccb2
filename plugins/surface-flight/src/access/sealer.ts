/** Encrypts state that clients keep and send back, so that the server keeps none. Replicas with the same key can read it. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** A text that was sealed for another purpose does not open. */
export type Purpose = 'ticket' | 'statement' | 'token' | 'session'

export type Opened<T> = { readonly kind: 'open'; readonly value: T } | { readonly kind: 'expired' } | { readonly kind: 'foreign' }

export interface Sealer {
  seal(purpose: Purpose, value: object): Buffer
  /** The value that was sealed. A text is open only if it was sealed with the same key. */
  open<T>(purpose: Purpose, sealed: Uint8Array): Opened<T>
  /** The time at which a text that is sealed now expires, in milliseconds since 1970. */
  expiry(): number
}

interface Options {
  /** A random key is created if it is undefined. */
  readonly key: string | Uint8Array | undefined
  readonly seconds: number
  readonly now: () => number
}

const CIPHER = 'aes-256-gcm'
const NONCE = 12
const TAG = 16
const VERSION = 1

export function sealer({ key, seconds, now }: Options): Sealer {
  const secret = Buffer.from(hkdfSync('sha256', key ?? randomBytes(32), '', 'grainline flight', 32))
  const expiry = () => now() + seconds * 1000
  return {
    expiry,
    seal(purpose, value) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv(CIPHER, secret, nonce).setAAD(Buffer.from(purpose))
      const text = [cipher.update(JSON.stringify({ expiry: expiry(), value })), cipher.final()]
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), ...text])
    },
    open<T>(purpose: Purpose, sealed: Uint8Array): Opened<T> {
      const text = opened(secret, purpose, sealed)
      if (text === undefined) return { kind: 'foreign' }
      const { expiry: end, value }: { readonly expiry: number; readonly value: T } = JSON.parse(text)
      return end <= now() ? { kind: 'expired' } : { kind: 'open', value }
    },
  }
}

function opened(secret: Buffer, purpose: Purpose, sealed: Uint8Array): string | undefined {
  const begin = 1 + NONCE + TAG
  if (sealed.length < begin || sealed[0] !== VERSION) return undefined
  const decipher = createDecipheriv(CIPHER, secret, sealed.subarray(1, 1 + NONCE), { authTagLength: TAG })
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(sealed.subarray(1 + NONCE, begin))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(begin)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
