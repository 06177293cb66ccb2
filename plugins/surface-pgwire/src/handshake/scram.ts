/**
 * The server side of SCRAM-SHA-256 and SCRAM-SHA-256-PLUS (RFC 5802, RFC 7677). The user name is ignored: the proof may match any of the verifiers, so
 * all of them share one salt. The log contains the reason of a failure. The client only learns that it failed.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Principal, ScramVerifier } from '@grainline/core/surface'

export interface ScramKeys {
  readonly salt: Buffer
  readonly iterations: number
  readonly verifiers: readonly ScramVerifier[]
}

/** The hash of the server's certificate, which binds the exchange to the connection. `undefined` without TLS. */
export type ChannelBinding = Buffer | undefined

export const SCRAM = 'SCRAM-SHA-256'
export const SCRAM_PLUS = 'SCRAM-SHA-256-PLUS'

export type ScramOutcome =
  | { readonly proven: true; readonly principal: Principal; readonly message: string }
  | { readonly proven: false }

/** The first answer of the server, and a function for the client's last message. */
export interface ScramExchange {
  readonly message: string
  readonly finish: (clientFinal: string) => ScramOutcome
}

const FAILED: ScramOutcome = { proven: false }

/** Reads the client's first message. Throws an `Error` with the reason if it is malformed. */
export function beginScram(mechanism: string, clientFirst: string, keys: ScramKeys, binding: ChannelBinding): ScramExchange {
  const { header, bare, nonce } = readFirst(mechanism, clientFirst, binding)
  const shared = nonce + randomBytes(18).toString('base64')
  const message = `r=${shared},s=${keys.salt.toString('base64')},i=${keys.iterations}`
  const bound = mechanism === SCRAM_PLUS && binding !== undefined ? binding : Buffer.alloc(0)
  const channel = Buffer.concat([Buffer.from(header), bound])
  return {
    message,
    finish(clientFinal) {
      const final = FINAL.exec(clientFinal)
      if (final === null) return FAILED
      const [, withoutProof = '', sentChannel = '', sentNonce = '', proof = ''] = final
      if (!equal(Buffer.from(sentChannel, 'base64'), channel) || sentNonce !== shared) return FAILED
      return prove(Buffer.from(proof, 'base64'), `${bare},${message},${withoutProof}`, keys.verifiers)
    },
  }
}

/** The gs2-header and the client-first-message-bare. */
const FIRST = /^((?:(n|y)|p=([A-Za-z0-9.-]+)),(?:a=[^,]*)?,)(n=[^,]*,r=([\x21-\x2b\x2d-\x7e]+)(?:,.*)?)$/
const FINAL = /^(c=([A-Za-z0-9+/=]+),r=([\x21-\x2b\x2d-\x7e]+)(?:,.*)?),p=([A-Za-z0-9+/=]+)$/

function readFirst(mechanism: string, text: string, binding: ChannelBinding) {
  const match = FIRST.exec(text)
  if (match === null) throw new Error('the first message of the client is malformed')
  const [, header = '', flag, kind, bare = '', nonce = ''] = match
  if (mechanism === SCRAM_PLUS) {
    if (kind !== 'tls-server-end-point') throw new Error('the client requested a channel binding other than tls-server-end-point')
  } else {
    if (kind !== undefined) throw new Error('the client requested channel binding with a mechanism that does not support it')
    // The client supports binding and believes that the server does not, so an attacker removed the offer.
    if (flag === 'y' && binding !== undefined)
      throw new Error('the offer of channel binding was removed on the way to the client')
  }
  return { header, bare, nonce }
}

/** Every verifier is checked, so that the duration does not reveal which one matches. */
function prove(proof: Buffer, message: string, verifiers: readonly ScramVerifier[]): ScramOutcome {
  if (proof.length !== 32) return FAILED
  let found: ScramVerifier | undefined
  for (const verifier of verifiers) {
    const signature = hmac(verifier.storedKey, message)
    const clientKey = Buffer.from(proof.map((byte, i) => byte ^ signature[i]!))
    if (timingSafeEqual(createHash('sha256').update(clientKey).digest(), verifier.storedKey)) found = verifier
  }
  if (found === undefined) return FAILED
  return { proven: true, principal: found.principal, message: `v=${hmac(found.serverKey, message).toString('base64')}` }
}

const hmac = (key: Uint8Array, text: string): Buffer => createHmac('sha256', key).update(text, 'utf8').digest()
const equal = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)
