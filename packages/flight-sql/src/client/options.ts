/** PEM texts, or contents of files. */
export interface TlsFiles {
  readonly ca?: string | Uint8Array | undefined
  /** The client's own certificate, if the server requires one. */
  readonly cert?: string | Uint8Array | undefined
  readonly key?: string | Uint8Array | undefined
  /** `false` accepts any certificate. */
  readonly rejectUnauthorized?: boolean | undefined
}

export interface ConnectOptions {
  readonly host: string
  readonly port: number
  /** Without it the connection is not encrypted. */
  readonly tls?: boolean | TlsFiles | undefined
  /** A password is exchanged for a token at once; a token is sent with every call. */
  readonly credentials?: { readonly user: string; readonly password: string } | { readonly token: string } | undefined
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** For the connection and the exchange of a password; ten seconds by default. */
  readonly connectTimeoutMs?: number | undefined
  /** For every call including its whole answer; no limit by default. */
  readonly callTimeoutMs?: number | undefined
  /** The maximum size of a received message in bytes; 256 MiB by default. */
  readonly largestMessage?: number | undefined
}
