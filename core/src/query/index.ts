export { jsonPlace } from './json-place.js'
export { parseQuery } from './parse-query.js'
export * from './query-object.js'
export { querySchema } from './query-schema.js'
