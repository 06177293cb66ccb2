/** The flights example as a page of the docs uses it: from the text of a query to its answer. */
import { compile } from '../../core/src/compile.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import type { CompiledQuery } from '../../core/src/sql/compiled-query.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { openParquet } from '../support/answers.js'
import { readModel } from '../support/compile.js'

const TABLES = ['flights', 'weather', 'hours', 'airports', 'planes', 'airlines']
const example = (name: string): string => new URL(`../../examples/flights/${name}`, import.meta.url).pathname

/** The clock of the docs: the data end with the year 2013. */
const NOW = new Date('2013-12-31T12:00:00-05:00')

export const modelFile = example('model.yaml')
export const model = readModel(modelFile)

export const openFlights = () => openParquet(Object.fromEntries(TABLES.map((table) => [table, example(`data/${table}.parquet`)])))

/** Throws `GrainlineError` if the query is refused. */
export function compileFlights(query: unknown): CompiledQuery {
  return compile(parseQuery(query), model, {
    dialect: duckdb,
    functions: builtInFunctions,
    aggregates: builtInAggregates,
    now: NOW,
    storedTypes: 'declared',
  })
}
