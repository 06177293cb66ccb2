import type { TlsOptions } from '@grainline/core/surface'
import { ServerCredentials } from '@grpc/grpc-js'

/** The certificate of the server, which may be replaced while it runs: connections that are open keep theirs. */
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
