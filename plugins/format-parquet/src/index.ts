import { definePlugin } from '@grainline/core'
import { parquet } from './parquet.js'

export { parquet }

/** Answers as Parquet files, for every surface that offers formats. */
export default definePlugin({
  name: '@grainline/format-parquet',
  host: '>=0.1.0 <1.0.0',
  setup: (host) => host.encodings.register(parquet),
})
