import { sqlite } from '@grainline/dialect-sqlite'
import type { Deviations, Witness } from '../witness.js'

/** A sum of integers that exceeds 64 bits is an error: https://www.sqlite.org/lang_aggfunc.html#sumunc */
export const OVERFLOWING: Deviations = {
  'a sum beyond 64 bits': 'SQLite fails with an overflow rather than give another number',
  'one-to-one goes both ways': 'SQLite fails with an overflow rather than give another number',
}

export const witness: Witness = { dialect: sqlite, engine: 'SQLite 3.53', evidence: 'executed', deviations: OVERFLOWING }
