import { mysql } from '@grainline/dialect-mysql'
import type { Witness } from '../witness.js'

export const witness: Witness = { dialect: mysql, engine: 'MySQL 8.0', evidence: 'executed' }
