import type { Socket } from 'node:net'
import { type SecureContext, TLSSocket } from 'node:tls'
import { ByteStream } from './byte-stream.js'
import { MessageWriter } from './message-writer.js'
import { errorResponse } from './messages.js'
import { fatal, type PgError } from './pg-error.js'

/** The TLS options of an upgrade: the certificate and, for mutual TLS, the demand for client certificates. */
export interface Encryption {
  readonly context: SecureContext
  readonly clientCertificates: boolean
  /** The hash of the certificate, to which SCRAM binds. */
  readonly certificateHash: Buffer
}

/** Time for the last words to leave before the connection is cut. */
const GOODBYE_MS = 500

/** One client's connection in both directions, plain at first and perhaps encrypted later. */
export class Wire {
  readonly input: ByteStream
  readonly out: MessageWriter
  #socket: Socket
  #encrypted: Encryption | undefined
  #over = false

  constructor(
    socket: Socket,
    readonly onGone: () => void,
  ) {
    this.#socket = socket
    socket.on('error', ignore)
    this.input = new ByteStream(socket, onGone)
    this.out = new MessageWriter(socket)
  }

  /** The encryption at work, if any. */
  get encrypted(): Encryption | undefined {
    return this.#encrypted
  }

  get over(): boolean {
    return this.#over || this.#socket.destroyed
  }

  /** Everything from here on is TLS. `direct` is a client that starts TLS without an SSLRequest; it must name the protocol by ALPN. */
  async encrypt(encryption: Encryption, direct: boolean): Promise<void> {
    const raw = this.input.detach() as Socket
    const secured = new TLSSocket(raw, {
      isServer: true,
      secureContext: encryption.context,
      requestCert: encryption.clientCertificates,
      rejectUnauthorized: encryption.clientCertificates,
      ALPNProtocols: ['postgresql'],
    })
    this.#socket = secured
    secured.on('error', () => this.destroy())
    this.input.moveTo(secured)
    this.out.moveTo(secured)
    await new Promise<void>((resolve, reject) => {
      secured.once('secure', resolve)
      secured.once('close', () => reject(fatal('08006', 'the TLS handshake did not come to an end')))
    })
    this.#encrypted = encryption
    if (direct && secured.alpnProtocol !== 'postgresql') throw fatal('08P01', 'direct TLS needs the protocol postgresql by ALPN')
    if (encryption.clientCertificates && !hasTrustedCertificate(secured))
      throw fatal('28000', 'connection requires a valid client certificate')
  }

  /** Says why, and ends the connection. */
  fail(error: PgError): void {
    if (this.over) return
    this.out.abandon()
    errorResponse(this.out, error)
    this.end()
  }

  /** Ends the connection once everything is sent. */
  end(): void {
    if (this.#over) return
    this.#over = true
    this.out.send()
    this.input.end()
    this.#socket.end()
    setTimeout(() => this.#socket.destroy(), GOODBYE_MS).unref()
  }

  /** Cuts the connection. */
  destroy(): void {
    this.#over = true
    this.input.end()
    this.#socket.destroy()
  }
}

/** A socket that was made for an upgrade does not look at its own verdict; the TLS layer tells it. */
function hasTrustedCertificate(socket: TLSSocket): boolean {
  const { ssl } = socket as { readonly ssl?: { verifyError?(): unknown } }
  return ssl?.verifyError !== undefined && ssl.verifyError() === null
}

const ignore = (): void => {}
