import type { Logger } from '@grainline/core'
import type { Credential } from '@grainline/core/surface'
import { flight } from '@grainline/flight-sql'
import { type handleBidiStreamingCall, Metadata, status } from '@grpc/grpc-js'
import type { Gatekeeper } from '../access/gatekeeper.js'
import { FlightError, toStatus } from './status.js'

interface Door {
  readonly gate: Gatekeeper
  readonly credentialOf: (metadata: Metadata) => Credential | undefined
  readonly admitted: (peer: string) => void
  readonly logger: Logger
}

/** A login that is not finished in this time is refused. */
const GRACE_MS = 10_000

/**
 * Handles a login. A credential in the headers is answered with a bearer token in the headers. Older clients send the password in the message, and get the
 * token in the message. The call ends when the client ends its side.
 */
export function handshake({ gate, credentialOf, admitted, logger }: Door): handleBidiStreamingCall<Buffer, Uint8Array> {
  return (call) => {
    let isOver = false
    const refuse = (error: unknown) => {
      if (isOver) return
      isOver = true
      clearTimeout(deadline)
      call.emit('error', toStatus(error, logger))
    }
    const deadline = setTimeout(
      () => refuse(new FlightError(status.DEADLINE_EXCEEDED, 'The login was not completed in time')),
      GRACE_MS,
    )
    const given = credentialOf(call.metadata)
    let answered: Promise<void> | undefined

    async function answer(credential: Credential | undefined, inMessage: boolean): Promise<void> {
      await gate.admit(credential)
      admitted(call.getPeer())
      const token = gate.tokenFor(credential)
      const metadata = new Metadata()
      metadata.set('authorization', `Bearer ${token}`)
      call.sendMetadata(metadata)
      call.write(flight.handshakeMessage.encode(inMessage ? { payload: Buffer.from(token) } : {}))
    }

    if (given !== undefined) answered = answer(given, false)
    call.on('data', (message: Buffer) => {
      answered ??= Promise.resolve().then(() => answer(credentialIn(message), true))
      answered.catch(refuse)
    })
    call.on('end', () => {
      answered ??= answer(undefined, false)
      answered.then(() => {
        if (isOver) return
        isOver = true
        clearTimeout(deadline)
        call.end()
      }, refuse)
    })
    call.on('cancelled', () => {
      isOver = true
      clearTimeout(deadline)
    })
    answered?.catch(refuse)
  }
}

/** The credential in a `BasicAuth` message, or a plain token. */
function credentialIn(message: Buffer): Credential | undefined {
  const { payload = new Uint8Array(0) } = decoded(() => flight.handshakeMessage.decode(message)) ?? {}
  if (payload.length === 0) return undefined
  const { username, password } = decoded(() => flight.basicAuth.decode(payload)) ?? {}
  if (username !== undefined || password !== undefined) return { scheme: 'password', value: password ?? '' }
  return { scheme: 'bearer', value: Buffer.from(payload).toString('utf8') }
}

function decoded<T>(decode: () => T): T | undefined {
  try {
    return decode()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
