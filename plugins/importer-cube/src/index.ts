import { definePlugin } from '@grainline/core'
import { cube } from './importer-process.js'

export { cube }

/** Models of Cube: cubes and views in YAML. */
export default definePlugin({
  name: '@grainline/importer-cube',
  host: '>=0.1.0 <1.0.0',
  setup: (host) => host.importers.register(cube),
})
