import type { Socket } from 'node:net'
import { type SecureContext, TLSSocket } from 'node:tls'
import { ByteStream } from './byte-stream.js'
import { MessageWriter } from './message-writer.js'
import { errorResponse } from './messages.js'
import { fatal, type PgError } from './pg-error.js'

/** The TLS options: the certificate, whether connections without TLS are refused, and for mutual TLS whether client certificates are required. */
export interface Encryption {
  readonly context: SecureContext
  readonly required: boolean
  readonly clientCertificates: boolean
  /** The hash of the certificate, for channel binding by SCRAM. */
  readonly certificateHash: Buffer
}

/** The time for sending the last message before the connection is closed. */
const GOODBYE_MS = 500

/** Both directions of a client's connection, which may become encrypted. */
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

  /** The current encryption, if there is one. */
  get encrypted(): Encryption | undefined {
    return this.#encrypted
  }

  get over(): boolean {
    return this.#over || this.#socket.destroyed
  }

  /** Switches to TLS. With `direct`, the client started TLS without an SSLRequest, and must name the protocol by ALPN. */
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
      secured.once('close', () => reject(fatal('08006', 'the TLS handshake was not completed')))
    })
    this.#encrypted = encryption
    if (direct && secured.alpnProtocol !== 'postgresql') throw fatal('08P01', 'direct TLS requires the ALPN protocol postgresql')
    if (encryption.clientCertificates && !hasTrustedCertificate(secured))
      throw fatal('28000', 'connection requires a valid client certificate')
  }

  /** Sends the error, and ends the connection. */
  fail(error: PgError): void {
    if (this.over) return
    this.out.abandon()
    errorResponse(this.out, error)
    this.end()
  }

  /** Ends the connection after everything is sent. */
  end(): void {
    if (this.#over) return
    this.#over = true
    this.out.send()
    this.input.end()
    this.#socket.end()
    setTimeout(() => this.#socket.destroy(), GOODBYE_MS).unref()
  }

  /** Closes the connection at once. */
  destroy(): void {
    this.#over = true
    this.input.end()
    this.#socket.destroy()
  }
}

/** Node does not set `authorized` on a socket that was created for an upgrade, so the TLS layer is asked. */
function hasTrustedCertificate(socket: TLSSocket): boolean {
  const { ssl } = socket as { readonly ssl?: { verifyError?(): unknown } }
  return ssl?.verifyError !== undefined && ssl.verifyError() === null
}

const ignore = (): void => {}
