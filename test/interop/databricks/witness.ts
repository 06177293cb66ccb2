import { databricks } from '@grainline/dialect-databricks'
import type { Witness } from '../witness.js'

export const witness: Witness = {
  dialect: databricks,
  engine: 'Apache Spark 4.3, of which Databricks is made',
  evidence: 'executed',
}
