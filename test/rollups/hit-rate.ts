/** Which of the questions of the flights and of their analysts three rollup tables would answer. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { compile } from '../../core/src/compile.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import { parseModelSync } from '../../core/src/model/load-model.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'

const root = path.join(import.meta.dirname, '../..')
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8')

export function flightsWithRollups(): SemanticModel {
  const flights = parse(textOf('examples/flights/model.yaml'), { merge: true }) as Record<string, object>
  const { dimensions, rollups } = parse(textOf('test/rollups/flights-rollups.yaml')) as Record<string, object>
  const json = { ...flights, dimensions: { ...flights['dimensions'], ...dimensions }, rollups }
  const { model, errors } = parseModelSync({ json })
  if (!model) throw new Error(errors.map(({ path: at, message }) => `${at}: ${message}`).join('\n'))
  return model
}

interface Question {
  readonly name: string
  readonly query: unknown
}

export function questions(): readonly Question[] {
  const folder = 'examples/flights/queries'
  const files = readdirSync(path.join(root, folder)).filter((name) => name.endsWith('.json'))
  const analysts = parse(textOf('test/bench/hand-written/analysts.yaml')) as readonly Question[]
  return [
    ...files
      .sort()
      .map((name) => ({ name: name.replace('.json', ''), query: (JSON.parse(textOf(`${folder}/${name}`)) as Question).query })),
    ...analysts.map(({ name, query }) => ({ name: `analysts: ${name}`, query })),
  ]
}

export const context = {
  ...{ dialect: duckdb, functions: builtInFunctions, aggregates: builtInAggregates },
  ...{ now: new Date('2026-01-15T12:00:00Z'), storedTypes: 'declared' as const },
}

export interface Line {
  readonly name: string
  readonly isServed: boolean
  readonly says: string
}

/** The tables that hold what a question aggregates; if they do not hold everything, the first reason of each table. */
export function lineOf({ name, query }: Question, model: SemanticModel): Line {
  const { rollups } = compile(parseQuery(query), model, context).explain()
  const names = [...new Set(rollups.flatMap(({ measures, others }) => [...measures, ...others]))]
  const tables = names.map((measure) => rollups.find(({ measures }) => measures.includes(measure))?.rollup)
  const isServed = names.length > 0 && !tables.includes(undefined)
  const reasons = rollups.map(
    ({ rollup, reason, field }) => `${rollup} ${reason ?? 'serves'}${field === null ? '' : ` (${field})`}`,
  )
  return { name, isServed, says: isServed ? [...new Set(tables)].join(', ') : reasons.join('; ') }
}
