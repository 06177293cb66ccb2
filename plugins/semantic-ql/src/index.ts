import { definePlugin } from '@grainline/core'
import { semanticQl } from './semantic-ql.js'

export { semanticQl }

/** Models answer statements of SQL. The grammar is loaded by the first of them. */
export default definePlugin({
  name: '@grainline/semantic-ql',
  host: '>=0.1.0 <1.0.0',
  setup: (host) => host.languages.register(semanticQl),
})
