/** The message types of protocol 3 (PostgreSQL manual, "Message Formats"), with their letters. */
export const FRONTEND = {
  bind: 0x42, // B
  close: 0x43, // C
  describe: 0x44, // D
  execute: 0x45, // E
  functionCall: 0x46, // F
  flush: 0x48, // H
  parse: 0x50, // P
  query: 0x51, // Q
  sync: 0x53, // S
  terminate: 0x58, // X
  copyDone: 0x63, // c
  copyData: 0x64, // d
  copyFail: 0x66, // f
  /** Passwords and all SASL messages. */
  password: 0x70, // p
} as const

export const BACKEND = {
  parseComplete: 0x31, // 1
  bindComplete: 0x32, // 2
  closeComplete: 0x33, // 3
  commandComplete: 0x43, // C
  dataRow: 0x44, // D
  errorResponse: 0x45, // E
  copyOutResponse: 0x48, // H
  emptyQueryResponse: 0x49, // I
  backendKeyData: 0x4b, // K
  noticeResponse: 0x4e, // N
  authentication: 0x52, // R
  parameterStatus: 0x53, // S
  rowDescription: 0x54, // T
  readyForQuery: 0x5a, // Z
  copyDone: 0x63, // c
  copyData: 0x64, // d
  noData: 0x6e, // n
  portalSuspended: 0x73, // s
  parameterDescription: 0x74, // t
  negotiateProtocolVersion: 0x76, // v
} as const

/** The request codes of a first packet, in the place of the protocol version. */
export const REQUEST = { cancel: 80877102, ssl: 80877103, gssEncryption: 80877104 } as const

export const AUTHENTICATION = { ok: 0, cleartextPassword: 3, sasl: 10, saslContinue: 11, saslFinal: 12 } as const

/** The first byte of a TLS handshake record. */
export const TLS_HANDSHAKE = 0x16
