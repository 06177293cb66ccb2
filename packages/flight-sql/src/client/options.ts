/** PEM texts, or files' contents. */
export interface TlsFiles {
  readonly ca?: string | Uint8Array | undefined
  /** The client's own certificate, where the server asks for one. */
  readonly cert?: string | Uint8Array | undefined
  readonly key?: string | Uint8Array | undefined
  /** `false` accepts any certificate. */
  readonly rejectUnauthorized?: boolean | undefined
}

export interface ConnectOptions {
  readonly host: string
  readonly port: number
  /** Plain text when left out. */
  readonly tls?: boolean | TlsFiles | undefined
  /** A password is exchanged for a token at once; a token goes with every call. */
  readonly credentials?: { readonly user: string; readonly password: string } | { readonly token: string } | undefined
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** For the connection and the exchange of a password; ten seconds when left out. */
  readonly connectTimeoutMs?: number | undefined
  /** For every call, the whole of its answer included; none when left out. */
  readonly callTimeoutMs?: number | undefined
  /** Bytes of one message that is received; 256 MiB when left out. */
  readonly largestMessage?: number | undefined
}
