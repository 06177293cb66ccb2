/**
 * Models with rows, written in each format and read again: both models are asked the same, and the answers are equal, or a line of the list says why not.
 * INTERCHANGE_SEED selects other models, and INTERCHANGE_MODELS how many.
 */
import type { Exported, SemanticModel } from '@grainline/core'
import t from 'tap'
import { GrainlineError } from '../../core/src/errors.js'
import { isTemporal } from '../../core/src/model/data-type.js'
import { namesReadBy } from '../../plugins/importer-dbt/src/foreign.js'
import { compileQuery } from '../oracle/compiled.js'
import { type Engine, openEngine } from '../oracle/duckdb.js'
import { type Random, randomFrom } from '../oracle/generate/random.js'
import type { QueryJson } from '../oracle/model.js'
import { Dec, toDouble, type Value } from '../oracle/values.js'
import { amount, PART } from '../support/amount.js'
import { plainRows } from './plain-rows.js'
import { type Ground, groundOf, nameThere, readBack, TRIPS, type Trip } from './round-trips.js'

t.setTimeout(600_000)

const seed = Number(process.env['INTERCHANGE_SEED'] ?? 39 + PART)
const models = Number(process.env['INTERCHANGE_MODELS'] ?? amount(2, 1000))

/** Of each text. */
const QUESTIONS = 3

type Kind = 'dimensions' | 'measures' | 'metrics'
type Rows = ReturnType<typeof plainRows>

/** Rules for speed are checked elsewhere. */
const UNCHECKED = new Set(['none'])

const sqlOf = (query: QueryJson, model: SemanticModel): string => compileQuery(query, model, undefined, undefined, UNCHECKED).sql

const rowsOf = async (engine: Engine, sql: string): Promise<Rows> =>
  plainRows((await engine.query(sql)).rows.map((row) => row.map(plain)))

const plain = (value: Value): unknown =>
  value instanceof Dec ? toDouble(value) : typeof value === 'object' && value !== null ? JSON.stringify(value, asText) : value

const asText = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

/** The fields that the text says. */
function fieldsOf(
  { written, losses }: Exported,
  kinds: readonly Kind[],
  there: SemanticModel,
): readonly (readonly [string, string])[] {
  const left = new Set(losses.flatMap(({ kind, path }) => (kind === 'rewritten' ? [] : [path.join('\n')])))
  return written.flatMap(([kind, name]) => {
    const known = kinds.find((each) => each === kind)
    const other = known && !left.has(`${kind}\n${name}`) ? nameThere(known, String(name), there) : undefined
    return other === undefined ? [] : [[String(name), other] as const]
  })
}

interface Question {
  readonly mine: QueryJson
  readonly its: QueryJson
  /** How many columns are groups. */
  readonly groups: number
  /** Whether a metric over one time is asked by another, which may tell periods of the first here, and is an expression there. */
  readonly isOverTime: boolean
}

/** The times of a metric, and of those that it reads. */
function timesOf(name: string, model: SemanticModel): readonly string[] {
  const metric = model.metrics.get(name)
  if (!metric) return []
  const own = 'timeDimension' in metric && typeof metric.timeDimension === 'string' ? [metric.timeDimension] : []
  return [...own, ...namesReadBy(metric).flatMap((other) => timesOf(other, model))]
}

function questionOf(exported: Exported, here: SemanticModel, there: SemanticModel, random: Random): Question | undefined {
  const dimensions = random.some(fieldsOf(exported, ['dimensions'], there), 1)
  const measures = random.some(fieldsOf(exported, ['measures', 'metrics'], there), 3)
  if (measures.length === 0) return undefined
  const query = (at: 0 | 1): QueryJson => ({
    select: { dimensions: dimensions.map((each) => each[at]), measures: measures.map((each) => each[at]) },
  })
  const [time] = dimensions.flatMap(([name]) => here.dimensions.get(name) ?? [])
  const isOverTime =
    time !== undefined &&
    isTemporal(time.type) &&
    measures.some(([name]) => timesOf(name, here).some((other) => other !== time.name))
  return { mine: query(0), its: query(1), groups: dimensions.length, isOverTime }
}

const isClose = (mine: Rows, its: Rows): boolean =>
  mine.length === its.length &&
  mine.every((row, at) =>
    row.every((value, column) => {
      const other = its[at]?.[column]
      return typeof value === 'number' && typeof other === 'number' ? Math.abs(value - other) <= 0.006 : value === other
    }),
  )

/** Why an answer there may be another one, by the lines of the list. */
function reasonOf({ losses }: Exported, { groups, isOverTime }: Question, mine: Rows, its: Rows): string | undefined {
  const keyOf = (row: readonly unknown[]) => JSON.stringify(row.slice(0, groups))
  const keys = new Set(mine.map(keyOf))
  const isEmpty = (row: readonly unknown[]) => row.slice(groups).every((value) => value === null || value === 0)
  const saysGroups = losses.some(({ message }) => message.includes('groups without such rows'))
  const shown = saysGroups ? its.filter((row) => keys.has(keyOf(row)) || !isEmpty(row)) : its
  if (shown.length < its.length && JSON.stringify(shown) === JSON.stringify(mine)) return 'groups without rows'
  if (losses.some(({ message }) => message.includes('by way of other tables'))) return 'another way'
  const saysRounds = losses.some(({ path }) => /^settings(\.defaultNumericDataType)?$/.test(path.join('.')))
  if (saysRounds && isClose(mine, shown)) return 'not rounded'
  if (isOverTime && losses.some(({ message }) => message.includes('is a time of its own there'))) return 'a time of its own there'
  const saysZone = losses.some(({ path }) => /^settings(\.\w+Timezone)?$/.test(path.join('.')))
  return saysZone ? 'another zone' : undefined
}

/** Refusals that follow from what a list says: a join that is left out, and a time that is a column of its own there. */
const FOLLOWS = new Set(['NO_JOIN_PATH', 'AMBIGUOUS_JOIN', 'TIME_RANGE_REQUIRED'])

const outcomeOf = (query: QueryJson, model: SemanticModel): { readonly sql: string } | { readonly code: string } => {
  try {
    return { sql: sqlOf(query, model) }
  } catch (error) {
    if (error instanceof GrainlineError) return { code: error.code }
    throw error
  }
}

t.test('a model that is exported and imported has the same numbers', async (t) => {
  t.comment(`INTERCHANGE_SEED=${seed}`)
  const engine = await openEngine()
  t.teardown(() => engine.close())
  const counts = new Map<string, Map<string, number>>()

  const ask = async (trip: Trip, exported: Exported, there: SemanticModel, ground: Ground, what: string): Promise<void> => {
    const count = (key: string) => {
      const of = counts.get(trip.exporter.name) ?? new Map<string, number>()
      counts.set(trip.exporter.name, of.set(key, (of.get(key) ?? 0) + 1))
    }
    count('texts')
    const random = randomFrom(seed)
    for (let number = 0; number < QUESTIONS; number++) {
      const question = questionOf(exported, ground.model, there, random)
      if (!question) return
      const [mine, its] = [outcomeOf(question.mine, ground.model), outcomeOf(question.its, there)]
      if ('code' in mine) continue
      count('questions')
      if ('code' in its) {
        if (!FOLLOWS.has(its.code)) t.fail(`${what}: ${JSON.stringify(question.mine)} is ${its.code} there`)
        count(`refused: ${its.code}`)
        continue
      }
      const [here, there_] = [await rowsOf(engine, mine.sql), await rowsOf(engine, its.sql)]
      const isSame = JSON.stringify(here) === JSON.stringify(there_)
      const reason = isSame ? 'equal' : reasonOf(exported, question, here, there_)
      count(reason ?? 'different')
      if (reason === undefined) t.same(there_, here, `${what}: ${JSON.stringify(question.mine)}\n${mine.sql}\n${its.sql}`)
    }
  }

  for (let at = 0; at < models; at++) {
    const ground = groundOf(seed * 1000 + at)
    await engine.load(ground.json, ground.data)
    /** Texts of two forms that are one document are asked once. */
    const asked = new Set<string>()
    for (const trip of TRIPS) {
      const exported = await trip.exporter.write(ground.model)
      if ('faults' in exported) continue
      for (const text of trip.texts(exported)) {
        const there = await readBack(text, trip, ground.model)
        const document = JSON.stringify({ ...there.document, name: undefined })
        if (asked.has(document)) continue
        asked.add(document)
        await ask(trip, exported, there, ground, `${trip.exporter.name}, model ${at} of ${seed}`)
      }
    }
  }
  for (const [name, of] of counts) t.comment(`${name}: ${JSON.stringify(Object.fromEntries(of))}`)
  const equal = [...counts.values()].map((of) => of.get('equal') ?? 0)
  t.ok(equal.reduce((sum, each) => sum + each, 0) > models, `equal: ${equal.join(', ')}`)
})
