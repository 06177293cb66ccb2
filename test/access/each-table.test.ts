/**
 * Each table of generated models × each object that reads it, in the model and in one beside: either the model does not load, or the object has only rows that the
 * policies leave. ACCESS_SEED and ACCESS_MODELS select other models.
 */
import t, { type Test } from 'tap'
import { compile } from '../../core/src/compile.js'
import { restrictedModel } from '../../core/src/model/access.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import { parseModelSync } from '../../core/src/model/load-model.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import { accessFaults } from '../../core/src/service/check-access.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { NOW } from '../oracle/compiled.js'
import { type Engine, openEngine } from '../oracle/duckdb.js'
import { generateCase } from '../oracle/generate/case.js'
import { kindsNamed, namesOfKinds } from '../oracle/generate/later.js'
import { asWritten, type ModelJson, type ObjectJson } from '../oracle/model.js'
import { physicalOf } from '../oracle/storage.js'
import { amount, oneIn, PART } from '../support/amount.js'

const seed = Number(process.env['ACCESS_SEED'] ?? 20261130 + PART)
const models = Number(process.env['ACCESS_MODELS'] ?? amount(1, 20))

type Objects = ModelJson['dataObjects']
interface Access {
  readonly rows: readonly object[]
  readonly unbound: readonly string[]
}
interface Combination {
  readonly name: string
  readonly dataObjects: Objects
  readonly access: Access | undefined
}

/** Objects over tables, with a key by which their rows are compared. */
const tablesIn = (objects: Objects): readonly string[] =>
  Object.entries(objects).flatMap(([name, object]) =>
    object.nestedIn || object.closure || object.calendar || keyOf(object) === undefined ? [] : [name],
  )
const keyOf = ({ columns }: ObjectJson): string | undefined => {
  const [key, ...more] = Object.entries(columns).filter(([, { primaryKey, code }]) => primaryKey && code !== undefined)
  return more.length > 0 ? undefined : key?.[0]
}

/** Its stored columns and primary joins, under the name of another spelling of the table. */
function twinOf({ columns, joins = [], ...object }: ObjectJson, code: string, kept: readonly string[]): ObjectJson {
  const stored = Object.fromEntries(Object.entries(columns).filter(([, column]) => column.code !== undefined))
  const { countLabel: _, uniqueKeys: __, weight: ___, bridge: ____, ...rest } = object
  return {
    ...rest,
    ...spelled(code),
    columns: stored,
    joins: joins.filter((join) => !join.secondary && kept.includes(join.joinTo)),
  }
}

/** As the engine reads the same name: in capitals, and with its schema. */
const spelled = (code: string): { readonly code: string } =>
  ({ code: code.toUpperCase(), schema: 'main' }) as { readonly code: string }

/** A policy that leaves some rows of an object, and the same ones of a second object over its table. */
const policyOn = (on: string, objects: Objects): object => {
  const key = keyOf(objects[on]!)!
  return { name: `on ${on}`, dataObject: on, where: { field: `${on}.${key}`, op: '<=', value: 3 } }
}

/** The objects that a loaded model must name as bound by none. */
function unboundIn(json: ModelJson, rows: readonly object[]): readonly string[] | undefined {
  const all = Object.keys(json.dataObjects)
  const { model } = parseModelSync({ json: asWritten({ ...json, access: { rows, unbound: all } } as ModelJson) })
  if (!model?.access) return undefined
  const { removesFrom } = restrictedModel(model, { rows: model.access.rows, missing: [], withholdsSql: true }).restriction!
  return all.filter((name) => !removesFrom.has(name))
}

const INT = /^(int|integer|bigint)$/

/** Every way in which a further object can read the table of one that is restricted. */
function combinations(objects: Objects, of: string, access: Access): readonly Combination[] {
  const object = objects[of]!
  const targets = (object.joins ?? []).filter(({ secondary, joinType }) => !secondary && joinType === 'many-to-one')
  // By which of several ways an object is bound is the choice of its author; here these are all or none.
  const leads = ({ joinTo }: (typeof targets)[number]) => !access.unbound.includes(joinTo)
  const leading = targets.filter(leads).map(({ joinTo }) => joinTo)
  const others = targets.filter((join) => !leads(join)).map(({ joinTo }) => joinTo)
  const ways = [[], leading, [...leading, ...others], ...others.map((one) => [one])]
  const other = tablesIn(objects).filter((name) => name !== of && isInt(objects[name]!))
  return ways.flatMap((kept) => {
    const dataObjects = { ...objects, Further: twinOf(object, object.code, kept) }
    const own = isInt(object) ? [policyOn('Further', dataObjects)] : []
    const elsewhere = other.slice(0, 2).map((name) => ({ ...policyOn(name, objects), name: `more on ${name}` }))
    return [
      { name: `joined with ${kept}`, dataObjects, access },
      ...own.map((rule) => ({
        name: `joined with ${kept}, with a policy`,
        dataObjects,
        access: { ...access, rows: [...access.rows, rule] },
      })),
      ...elsewhere.map((rule, i) => ({
        name: `joined with ${kept}, with policy ${i} elsewhere`,
        dataObjects,
        access: { rows: [...access.rows, rule], unbound: access.unbound },
      })),
    ]
  })
}
const isInt = (object: ObjectJson): boolean => {
  const key = keyOf(object)
  return key !== undefined && INT.test(object.columns[key]!.abstractType)
}

/** The keys of the rows of an object, as these policies leave them. */
async function keysOf(engine: Engine, model: SemanticModel, json: ModelJson, object: string): Promise<ReadonlySet<string>> {
  const column = `${object}.${keyOf(json.dataObjects[object]!)}`
  const { sql } = compile(parseQuery({ select: { fields: [column] } }), model, {
    dialect: duckdb,
    functions: builtInFunctions,
    aggregates: builtInAggregates,
    now: NOW,
    storedTypes: physicalOf(json, duckdb) ?? 'declared',
  })
  return new Set((await engine.query(sql)).rows.map(([key]) => textOf(key)))
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part))

const bound = (model: SemanticModel): SemanticModel =>
  restrictedModel(model, { rows: model.access?.rows ?? [], missing: [], withholdsSql: true })

const SERVER = {
  settings: { AUTH_MODE: 'api_key', QUERY_EXECUTE: true } as never,
  callersAreLocal: false,
}
const MISSES = /POLICY_MISSES_TABLE|POLICY_DOES_NOT_BIND/

const seen = { refused: 0, loaded: 0, narrowed: 0 }

async function tryEach(t: Test, engine: Engine, { model: given, data }: ReturnType<typeof generateCase>): Promise<void> {
  const json: ModelJson = { name: 'one', dataObjects: objectsOnly(given.dataObjects) }
  const policies = tablesIn(json.dataObjects).filter((name) => isInt(json.dataObjects[name]!))
  await engine.load(given, data)
  for (const on of policies) {
    const rows = [policyOn(on, json.dataObjects)]
    const unbound = unboundIn(json, rows)
    const base = unbound && parseModelSync({ json: asWritten({ ...json, access: { rows, unbound } } as ModelJson) })
    // Its own objects may share a table already.
    if (!unbound || !base?.model) continue
    for (const of of tablesIn(json.dataObjects).filter((name) => !unbound.includes(name))) {
      const left = await keysOf(engine, bound(base.model), json, of)
      for (const { name, dataObjects, access } of combinations(json.dataObjects, of, { rows, unbound })) {
        const further = { ...json, dataObjects }
        // In the model itself, and in one beside, whose own policies are these, those that are not on the table, or none.
        const inside = parseModelSync({ json: asWritten({ ...further, access } as ModelJson) })
        const what = `${on} over ${of}, ${name}`
        await judge(t, engine, { what, json: further, ...inside, left })
        for (const beside of [access, access && { ...access, rows: access.rows.slice(1) }, undefined]) {
          const own = beside && beside.rows.length > 0 ? { ...beside, unbound: besideOf(further, beside, of) } : undefined
          const other = parseModelSync({
            json: asWritten({ ...further, name: 'other', ...(own && { access: own }) } as ModelJson),
          })
          const faults = other.model
            ? accessFaults(
                [
                  { name: 'one', model: base.model },
                  { name: 'other', model: other.model },
                ],
                SERVER,
              )
            : other.errors
          const errors = faults.map(({ code, message }) => ({ code, message: message }))
          await judge(t, engine, { what: `${what}, beside`, json: further, model: other.model, errors, left })
        }
      }
    }
  }
}

/** What a model beside says that everybody may see: all that its own policies do not bind, but for the table in question. */
const besideOf = (json: ModelJson, { rows }: Access, of: string): readonly string[] =>
  (unboundIn(json, rows) ?? []).filter((name) => name !== 'Further' && name !== of)

/** Stored columns, and joins that by themselves remove no row and lead from one side only. */
const objectsOnly = (objects: Objects): Objects =>
  Object.fromEntries(
    Object.entries(objects).map(([name, { columns, joins = [], ...object }]) => [
      name,
      {
        ...object,
        joins: joins.map(({ required: _, joinType, ...join }) => ({
          ...join,
          joinType: joinType === 'one-to-one' ? ('many-to-one' as const) : joinType,
        })),
        columns: Object.fromEntries(Object.entries(columns).filter(([, { code }]) => code !== undefined)),
      },
    ]),
  )

interface Judged {
  readonly what: string
  readonly json: ModelJson
  readonly model?: SemanticModel | undefined
  readonly errors: readonly { readonly code: string; readonly message: string }[]
  readonly left: ReadonlySet<string>
}

async function judge(t: Test, engine: Engine, { what, json, model, errors, left }: Judged): Promise<void> {
  if (errors.length > 0 || !model) {
    seen.refused++
    const other = errors.filter(({ code }) => !MISSES.test(code))
    if (other.length > 0) t.fail(`${what}: ${other[0]?.code} ${other[0]?.message}`)
    return
  }
  seen.loaded++
  const rows = await keysOf(engine, bound(model), json, 'Further')
  const shown = [...rows].filter((key) => !left.has(key))
  if (rows.size < left.size) seen.narrowed++
  if (shown.length > 0) t.fail(`${what}: shows ${shown}`)
}

for (const kinds of oneIn(20, namesOfKinds()))
  t.test(`each table × each object over it, in ${models} models of ${kinds} (ACCESS_SEED=${seed})`, async (t) => {
    const engine = await openEngine()
    t.teardown(engine.close)
    for (let i = 0; i < models; i++) await tryEach(t, engine, generateCase(seed, i * 25, kindsNamed(kinds)))
    t.comment(JSON.stringify(seen))
    t.pass('judged')
  })

t.test('some are refused, and some load', async (t) => {
  t.ok(seen.refused > 0 && seen.loaded > 0, JSON.stringify(seen))
})
