import { definePlugin } from '@grainline/core'
import { tmdl } from './importer-process.js'

export { tmdl }

/** Semantic models of Power BI and Analysis Services in TMDL. */
export default definePlugin({
  name: '@grainline/importer-tmdl',
  host: '>=0.1.0 <1.0.0',
  setup: (host) => host.importers.register(tmdl),
})
