import { BACKEND, TLS_HANDSHAKE } from '../wire/codes.js'
import { fatal } from '../wire/pg-error.js'
import type { Encryption, Wire } from '../wire/wire.js'
import { MOST_STARTUP_BYTES, readFirstPacket, type Startup } from './startup.js'

export interface Negotiation {
  readonly encryption: Encryption | undefined
  /** Cancels the statement of another connection, if there is one. */
  readonly cancel: (processId: number, secret: Buffer) => Promise<void>
}

/**
 * Everything before authentication: the request for encryption, direct TLS, a cancellation. Resolves to the startup message, or to `undefined` after a
 * cancellation.
 */
export async function negotiate(wire: Wire, { encryption, cancel }: Negotiation): Promise<Startup | undefined> {
  const asked = { ssl: false, gss: false }
  if ((await wire.input.peek()) === TLS_HANDSHAKE) {
    if (encryption === undefined) throw fatal('08P01', 'TLS is not configured on this server')
    asked.ssl = true
    await wire.encrypt(encryption, true)
  }
  for (;;) {
    const packet = await readPacket(wire)
    switch (packet.kind) {
      case 'cancel':
        await cancel(packet.processId, packet.secret)
        return undefined
      case 'ssl':
      case 'gss':
        if (asked[packet.kind] || wire.encrypted)
          throw fatal('08P01', `unexpected ${packet.kind === 'ssl' ? 'SSL' : 'GSSENC'}Request`)
        asked[packet.kind] = true
        await answer(wire, packet.kind === 'ssl' ? encryption : undefined)
        continue
      case 'startup':
        if (encryption?.required && !wire.encrypted)
          throw fatal('28000', `connection requires TLS${encryption.clientCertificates ? ' with a client certificate' : ''}`)
        if (packet.negotiate) tellVersion(wire, packet)
        return packet
    }
  }
}

async function readPacket(wire: Wire) {
  const length = (await wire.input.read(4)).readInt32BE(0)
  if (length < 8 || length > MOST_STARTUP_BYTES) throw fatal('08P01', 'invalid length of startup packet')
  return readFirstPacket(await wire.input.read(length - 4))
}

/** Answers with one letter. Unencrypted bytes after the request are an attack: they would be read as if they were encrypted (CVE-2021-23222). */
async function answer(wire: Wire, encryption: Encryption | undefined): Promise<void> {
  if (wire.input.length > 0) throw fatal('08P01', 'received unencrypted data after encryption request')
  wire.out.ascii(encryption ? 'S' : 'N')
  wire.out.mark = wire.out.pos
  await wire.out.flush()
  if (encryption) await wire.encrypt(encryption, false)
}

function tellVersion({ out }: Wire, { minor, unknownOptions }: Startup): void {
  out.begin(BACKEND.negotiateProtocolVersion)
  out.int32((3 << 16) | minor)
  out.int32(unknownOptions.length)
  for (const option of unknownOptions) out.cstring(option)
  out.end()
}
