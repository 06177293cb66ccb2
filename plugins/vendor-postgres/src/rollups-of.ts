import type { RollupStorage } from '@grainline/core/vendor'
import type { PostgresPlan } from './options.js'
import { CLOCK, openWriter } from './rollup-writer.js'

/** How tables of rollups are kept: `writer` is the database for a user that may write. */
export const rollupsOf = (writer: PostgresPlan | undefined): RollupStorage => ({
  clock: CLOCK,
  setting: 'ROLLUP_POSTGRES_URL',
  ...(writer && { openWriter: () => openWriter(writer) }),
})
