import type { TlsOptions } from '@grainline/core/surface'
import { ServerCredentials } from '@grpc/grpc-js'

/** The server's certificate. It can be replaced at run time; open connections keep the previous one. */
export class TlsCredentials extends ServerCredentials {
  constructor(tls: TlsOptions) {
    super(
      {
        requestCert: tls.ca !== undefined,
        rejectUnauthorized: tls.ca !== undefined,
        minVersion: 'TLSv1.2',
        handshakeTimeout: 10_000,
      },
      contextOf(tls),
    )
  }

  replace(tls: TlsOptions): void {
    this.updateSecureContextOptions(contextOf(tls))
  }

  override _equals(other: ServerCredentials): boolean {
    return other === this
  }
}

const contextOf = ({ cert, key, ca }: TlsOptions) => ({ cert, key, ...(ca !== undefined && { ca }) })
