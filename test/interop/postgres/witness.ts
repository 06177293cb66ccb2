import { postgres } from '@grainline/dialect-postgres'
import type { Witness } from '../witness.js'

export const witness: Witness = { dialect: postgres, engine: 'PostgreSQL 15', evidence: 'executed' }
