import { snowflake } from '@grainline/dialect-snowflake'
import type { Witness } from '../witness.js'

export const witness: Witness = {
  dialect: snowflake,
  engine: 'fakesnow: sqlglot reads it, DuckDB answers',
  evidence: 'stand-in',
  deviations: {
    'a computed column of text and one of JSON': 'fakesnow does not know the type of a JSON value',
    'declared types round the displayed column': 'fakesnow casts the DISTINCT of a sum with it',
    'a sum beyond 64 bits': 'fakesnow adds up in doubles',
    // https://docs.snowflake.com/en/user-guide/semistructured-considerations#null-values
    'the elements of an array are rows, and the row that holds them counts once per group of them':
      'fakesnow casts the null of JSON to a text',
  },
}
