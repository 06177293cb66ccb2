import { mariadb } from '@grainline/dialect-mariadb'
import type { Witness } from '../witness.js'

export const witness: Witness = { dialect: mariadb, engine: 'MariaDB 10.11', evidence: 'executed' }
