import { redshift } from '@grainline/dialect-redshift'
import type { Witness } from '../witness.js'

export const witness: Witness = { dialect: redshift, engine: 'sqlglot and sqlfluff', evidence: 'parsed' }
