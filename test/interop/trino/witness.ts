import { trino } from '@grainline/dialect-trino'
import type { Witness } from '../witness.js'

export const witness: Witness = { dialect: trino, engine: 'Trino 476', evidence: 'executed' }
