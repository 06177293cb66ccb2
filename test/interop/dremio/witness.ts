import { dremio } from '@grainline/dialect-dremio'
import type { Witness } from '../witness.js'

export const witness: Witness = {
  dialect: dremio,
  engine: 'Apache Calcite, of whose parser Dremio is made, and sqlglot',
  evidence: 'parsed',
}
