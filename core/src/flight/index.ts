/** The protocol of Arrow Flight SQL, as data: one place for those who ask by it and those who answer. */
export * from './messages.js'
export * from './protobuf.js'
