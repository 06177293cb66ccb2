/**
 * Rollup tables without tables: the block that reads one reads its build statement as a sub-query instead, and the answer must be that of the facts, to the last
 * digit. The rollups of a generated model are drawn here: most hold what the question reads, some at other grains or under conditions.
 */

import type { CompileContext } from '../../core/src/compile/compile-context.js'
import { compileRollup } from '../../core/src/compile/compile-rollup.js'
import { compile } from '../../core/src/compile.js'
import { GrainlineError } from '../../core/src/errors.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import { parseModelSync } from '../../core/src/model/load-model.js'
import type { SemanticModel, TableSource } from '../../core/src/model/semantic-model.js'
import type { StoredTypes } from '../../core/src/model/stored-column.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import type { CompiledQuery } from '../../core/src/sql/compiled-query.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { NOW } from './compiled.js'
import type { Engine } from './duckdb.js'
import type { Case } from './generate/case.js'
import { hashOf, type Random, randomFrom } from './generate/random.js'
import { asWritten, type Json, type ModelJson, type QueryJson } from './model.js'
import { physicalOf } from './storage.js'
import { keyOfAll } from './values.js'

interface RollupJson {
  readonly dataObject: string
  readonly dimensions: readonly { readonly field: string; readonly grain?: string }[]
  readonly measures: readonly string[]
  readonly where?: readonly Json[]
}

type Rollups = Readonly<Record<string, RollupJson>>

export interface Replaced {
  /** The statement that reads tables; `undefined` if no table can be read. */
  readonly tables: CompiledQuery | undefined
  readonly facts: CompiledQuery
  readonly rollups: Rollups
}

/** The question of a case with rollup tables and without; `undefined` if it is refused. */
export function replaced(one: Case, seed: string): Replaced | undefined {
  const random = randomFrom(hashOf(`rollups ${seed}`))
  const { model, rollups } = modelWith(drawn(random, one), one.model)
  if (!model) return undefined
  const physical: StoredTypes = physicalOf(one.model, duckdb) ?? 'declared'
  const context: CompileContext = {
    ...{ dialect: duckdb, functions: builtInFunctions, aggregates: builtInAggregates, now: NOW },
    ...{ storedTypes: physical, checksRules: true },
  }
  const query = parseQuery(one.query)
  const facts = unlessRefused(() => compile(query, model, context))
  if (!facts) return undefined
  const asked = { ...(query.timezone && { timezone: query.timezone }), ...(query.parameters && { parameters: query.parameters }) }
  const sources = [...model.rollups.values()].flatMap((rollup): readonly [string, TableSource][] => {
    const build = unlessRefused(() => compileRollup(rollup, model, context, asked))
    return build ? [[rollup.name, { kind: 'sql', sql: build.sql }]] : []
  })
  const tables = compile(query, model, { ...context, rollupTables: new Map(sources) })
  return { facts, rollups, tables: tables.explain().rules.includes('rollup-tables') ? tables : undefined }
}

function unlessRefused<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    if (error instanceof GrainlineError && error.code !== 'INTERNAL_ERROR') return undefined
    throw error
  }
}

/** How the two answers differ; `undefined` if they are equal. */
export async function difference({ tables, facts }: Replaced, engine: Engine): Promise<string | undefined> {
  if (!tables) return undefined
  const [planned, read] = [facts, tables].map(({ columns }) => JSON.stringify(columns))
  if (planned !== read) return `columns ${read} for ${planned}`
  const rowsOf = async ({ sql }: CompiledQuery): Promise<readonly string[]> => {
    const { rows } = await engine.query(sql)
    return rows.map((row) => keyOfAll(row)).sort()
  }
  const [own, those] = [await rowsOf(facts), await rowsOf(tables)]
  if (own.length === those.length && own.every((row, i) => row === those[i])) return undefined
  const lost = own.filter((row) => !those.includes(row)).slice(0, 4)
  const added = those.filter((row) => !own.includes(row)).slice(0, 4)
  return `${those.length} rows for ${own.length}; of the facts: ${lost.join(' ; ')}; of the tables: ${added.join(' ; ')}`
}

// ---- rollups of a model ---------------------------------------------------------------------------------------------------------------

function drawn(random: Random, { model, query }: Case): Rollups {
  const objects = Object.keys(model.dataObjects)
  return Object.fromEntries(
    random.some(objects, 3).flatMap((dataObject, i) => {
      const rollup = (n: number): [string, RollupJson] => [`Table ${i}${n}`, rollupOf(random, dataObject, { model, query })]
      return [rollup(1), ...(random.chance(0.4) ? [rollup(2)] : [])]
    }),
  )
}

const GRAINS = ['day', 'day', 'day', 'week', 'month', 'hour', 'quarter'] as const

const PERIODS = ['day', 'week', 'week', 'month', 'month', 'quarter'] as const

/** The dimensions of which a question names periods, or that its conditions limit. */
function timed({ select, where = [] }: QueryJson): readonly string[] {
  const cut = (select.dimensions ?? []).flatMap((one) =>
    typeof one === 'string' && /:\w+$/.test(one) ? [one.replace(/:\w+$/, '')] : [],
  )
  const limited = (where as unknown as readonly Json[]).flatMap((one) =>
    typeof one === 'object' && one !== null && 'field' in one ? [String(one.field).replace(/:\w+$/, '')] : [],
  )
  return [...cut, ...limited]
}

function rollupOf(random: Random, dataObject: string, { model, query }: Pick<Case, 'model' | 'query'>): RollupJson {
  const all = Object.keys(model.dimensions ?? {})
  const text = JSON.stringify(query)
  const asked = all.filter((name) => text.includes(JSON.stringify(name).slice(1, -1)))
  const more = random.some(all, random.between(1, 4))
  const names = [...new Set([...asked.filter(() => random.chance(0.93)), ...more])]
  const measures = Object.keys(model.measures ?? {})
  // Of a time that the question groups or limits, most tables hold periods: those of the question, parts of them, or others.
  const ofPeriods = new Set(timed(query).filter((name) => names.includes(name)))
  return {
    dataObject,
    dimensions: names.map((field) =>
      random.chance(ofPeriods.has(field) ? 0.8 : 0.3)
        ? { field, grain: random.pick(ofPeriods.has(field) ? PERIODS : GRAINS) }
        : { field },
    ),
    measures: [...measures.filter(() => random.chance(0.85)), `${dataObject} Count`],
    ...conditionOn(random, all, query),
  }
}

/** A condition of the question, which is then implied, or any other. */
function conditionOn(random: Random, fields: readonly string[], { where }: QueryJson): Pick<RollupJson, 'where'> {
  const asked = random.some((where ?? []) as unknown as readonly Json[], 1)
  if (random.chance(0.15) && asked.length > 0) return { where: asked }
  return random.chance(0.12) ? { where: [{ field: random.pick(fields), op: 'is_not_null' }] } : {}
}

/** The model with the rollups, without the fields that these cannot have. */
function modelWith(
  rollups: Rollups,
  document: ModelJson,
): { readonly model: SemanticModel | undefined; readonly rollups: Rollups } {
  let kept = rollups
  for (let tries = 0; tries < 4; tries++) {
    const { model, errors } = parseModelSync({ json: { ...(asWritten(document) as object), rollups: kept } })
    if (model) return { model, rollups: kept }
    const paths = errors.map(({ path }) => path)
    kept = withoutFaulty(kept, paths)
    if (Object.keys(kept).length === 0) return { model: undefined, rollups: kept }
  }
  return { model: undefined, rollups: kept }
}

function withoutFaulty(rollups: Rollups, paths: readonly string[]): Rollups {
  const isFaulty = (path: string): boolean => paths.some((one) => one === path || one.startsWith(`${path}.`))
  return Object.fromEntries(
    Object.entries(rollups).flatMap(([name, rollup]): readonly [string, RollupJson][] => {
      const at = `rollups["${name}"]`
      if (paths.includes(at) || paths.includes(`rollups.${name}`)) return []
      const part = (key: string, i: number): boolean => [`${at}.${key}[${i}]`, `rollups.${name}.${key}[${i}]`].some(isFaulty)
      const dimensions = rollup.dimensions.flatMap((one, i) => {
        if (!part('dimensions', i)) return [one]
        return one.grain === undefined ? [] : [{ field: one.field }]
      })
      const measures = rollup.measures.filter((_, i) => !part('measures', i))
      return dimensions.length > 0 && measures.length > 0 ? [[name, { ...rollup, dimensions, measures }]] : []
    }),
  )
}
