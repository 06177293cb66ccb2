/** What the author of a vendor uses. */
export * from './cancellable.js'
export * from './connection-pool.js'
export type * from './introspection.js'
export * from './read-pem-files.js'
export * from './row-connection.js'
export type * from './vendor.js'
export * from './vendor-conformance.js'
