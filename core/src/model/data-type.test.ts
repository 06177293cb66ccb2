import t from 'tap'
import { commonType, DATE, decimal, FLOAT, formatDataType, INT, parseDataType, STRING, TIMESTAMP } from './data-type.js'

t.test('types are parsed from the spellings of documents and databases', async (t) => {
  const spellings: Readonly<Record<string, string>> = {
    'decimal(18, 2)': 'decimal(18,2)',
    'NUMERIC(5)': 'decimal(5,0)',
    decimal: 'decimal(18,0)',
    'varchar(20)': 'string',
    'Double Precision': 'float',
    bigint: 'int',
    'timestamp with time zone': 'timestamp_tz',
    'TIMESTAMP(6) WITHOUT TIME ZONE': 'timestamp',
    timestamptz: 'timestamp_tz',
    jsonb: 'json',
  }
  for (const [text, type] of Object.entries(spellings)) t.equal(formatDataType(parseDataType(text)!), type, text)
  for (const text of ['', 'decimals', 'decimal(39,2)', 'decimal(2,3)', 'decimal(0)', 'int; drop', 'decimal(1,2,3)'])
    t.equal(parseDataType(text), undefined, text)
})

t.test('the common type of two numbers holds the integer digits and the scale of both', async (t) => {
  t.same(commonType([INT, INT]), INT)
  t.same(commonType([decimal(5, 2), decimal(10, 0)]), decimal(12, 2))
  t.same(commonType([decimal(5, 2), FLOAT]), FLOAT)
  t.same(commonType([DATE, TIMESTAMP]), TIMESTAMP)
  t.same(commonType([DATE, INT]), STRING)
})
