/** What vendors, surfaces and tests use of the batch. */
export * from './column-builder.js'
export * from './decimal.js'
export * from './json-rows.js'
export * from './record-batch.js'
export * from './temporal.js'
export * from './validity.js'
export * from './value-at.js'
export * from './zone-offset.js'
