/**
 * PostgreSQL's own row security as a second witness: generated policies as its policies, under which a role asks the statement of the model without access
 * rules. Its answer, that of our statement under the policies, and that of the oracle are the same. ORACLE_SEED and ORACLE_CASES select other cases.
 */
import { builtInAggregates, builtInFunctions, compile, GrainlineError, parseQuery, type SemanticModel } from '@grainline/core'
import { parseModelSync } from '@grainline/core/unstable'
import { postgres } from '@grainline/dialect-postgres'
import t from 'tap'
import { restrictedModel } from '../../../core/src/model/access.js'
import type { StaticFilter } from '../../../core/src/model/semantic-model.js'
import { compareCase, type Ran, type Refused } from '../../oracle/compare.js'
import { NOW, parseModelJson } from '../../oracle/compiled.js'
import { loadStatements } from '../../oracle/duckdb.js'
import { evaluate } from '../../oracle/evaluate.js'
import { type Case, generateCase } from '../../oracle/generate/case.js'
import { filterLeaf } from '../../oracle/generate/filters.js'
import { kindsNamed } from '../../oracle/generate/later.js'
import { addresses } from '../../oracle/generate/measures.js'
import { type Random, randomFrom } from '../../oracle/generate/random.js'
import { asWritten, type JoinJson, type Json, type LeafJson, type ModelJson } from '../../oracle/model.js'
import type { PolicyJson } from '../../oracle/policies.js'
import { report } from '../../oracle/report.js'
import { physicalOf } from '../../oracle/storage.js'
import { caseNumbers } from '../../support/amount.js'
import { orSkip } from '../or-skip.js'
import { execute } from '../suites.js'
import { openEngine } from './engine.js'

const seed = Number(process.env['ORACLE_SEED'] ?? 20261128)
const cases = caseNumbers('ORACLE_CASES', 30, 3300, 3300)
const KINDS = kindsNamed('the basic language')

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const literal = (value: Json): string => (typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value))

/** What both say of a column. Texts are compared for equality only, and a day compared with a time means more to us. */
const OPERATORS: Readonly<Record<string, (column: string, values: readonly string[]) => string>> = {
  equals: (column, [value]) => `${column} = ${value}`,
  gt: (column, [value]) => `${column} > ${value}`,
  lte: (column, [value]) => `${column} <= ${value}`,
  in: (column, values) => `${column} IN (${values.join(', ')})`,
  is_not_null: (column) => `${column} IS NOT NULL`,
}

/** A condition on a stored column that both can say. */
function leafOn(random: Random, { dataObjects }: ModelJson, dataObject: string): LeafJson | undefined {
  const stored = addresses(dataObjects, dataObject).filter(({ column, kind }) => {
    const { code, sqlType } = dataObjects[dataObject]!.columns[column]!
    return code !== undefined && (sqlType === undefined || kind === 'decimal') && kind !== 'float' && kind !== 'timestamp'
  })
  for (let tries = 40; tries > 0 && stored.length > 0; tries--) {
    const { column, kind } = random.pick(stored)
    const leaf = filterLeaf(random, column, kind, true)
    const isKnown = Object.hasOwn(OPERATORS, leaf.op) && (kind !== 'string' || !['gt', 'lte'].includes(leaf.op))
    if (isKnown) return leaf
  }
  return undefined
}

const sqlOf = (model: ModelJson, object: string, { field, op, value }: LeafJson, alias: string): string =>
  OPERATORS[op]!(
    `${alias}.${quoted(model.dataObjects[object]!.columns[field]!.code!)}`,
    [value ?? []].flat().map((one) => literal(one as Json)),
  )

/** The join as a condition on a row of each side. */
const joined = (model: ModelJson, [from, here]: readonly [string, string], [join, there]: readonly [JoinJson, string]): string =>
  join.columnsFrom
    .map((column, i) => {
      const own = model.dataObjects[from]!.columns[column]!.code!
      const other = model.dataObjects[join.joinTo]!.columns[join.columnsTo[i]!]!.code!
      return `${here}.${quoted(own)} = ${there}.${quoted(other)}`
    })
    .join(' AND ')

const primary = (model: ModelJson, name: string): readonly JoinJson[] =>
  (model.dataObjects[name]!.joins ?? []).filter(({ secondary, joinType }) => !secondary && joinType !== 'many-to-many')

interface Policy {
  readonly json: PolicyJson
  readonly dataObject: string
  /** As PostgreSQL reads it on a row of the table. */
  readonly sql: string
}

function plainPolicy(random: Random, model: ModelJson): Policy | undefined {
  const dataObject = random.pick(Object.keys(model.dataObjects))
  const leaf = leafOn(random, model, dataObject)
  if (!leaf) return undefined
  const { field: column, op: operator, value } = leaf
  const values = Array.isArray(value) ? { values: value } : value !== undefined && { value }
  const table = quoted(model.dataObjects[dataObject]!.code)
  return { json: { dataObject, column, operator, ...values }, dataObject, sql: sqlOf(model, dataObject, leaf, table) }
}

/** Rows of an object that joins this one, found in a view whose owner sees all of them. */
function seekingPolicy(random: Random, model: ModelJson): Policy | undefined {
  const joins = Object.keys(model.dataObjects).flatMap((from) => primary(model, from).map((join) => ({ from, join })))
  if (joins.length === 0 || (model.filters ?? []).length > 0) return undefined
  const { from, join } = random.pick(joins)
  const leaf = random.chance(0.7) ? leafOn(random, model, from) : undefined
  const table = quoted(model.dataObjects[join.joinTo]!.code)
  const conditions = [joined(model, [from, 'f'], [join, table]), ...(leaf ? [sqlOf(model, from, leaf, 'f')] : [])]
  const sql = `EXISTS (SELECT 1 FROM ${whole(model, from)} AS f WHERE ${conditions.join(' AND ')})`
  return { json: { dataObject: join.joinTo, exists: from, ...(leaf && { filters: [leaf] }) }, dataObject: join.joinTo, sql }
}

const whole = (model: ModelJson, name: string): string => quoted(`whole_${model.dataObjects[name]!.code}`)

/** The rules as the model reads them; none if they do not load. */
function rulesOf(model: ModelJson, policies: readonly Policy[]): readonly StaticFilter[] | undefined {
  const rows = policies.map(({ json, dataObject }, i) => {
    const where =
      'column' in json
        ? { field: `${dataObject}.${json.column}`, op: json.operator, value: json.values ?? json.value }
        : { exists: json.exists, filters: json.filters }
    return { name: `p${i}`, dataObject, where: JSON.parse(JSON.stringify(where)) as Json }
  })
  const access = { rows, unbound: Object.keys(model.dataObjects) }
  return parseModelSync({ json: asWritten({ ...model, access } as ModelJson) }).model?.access?.rows
}

type Way = readonly JoinJson[]

/** The ways by which rows must lead to the object of a policy: by the path rule, and where that does not decide, every one. */
const waysTo = (model: ModelJson, name: string, end: string): readonly Way[] => {
  const way = wayByRule(model, name, end)
  return way ? [way] : everyWay(model, name, end)
}

function wayByRule(model: ModelJson, name: string, end: string): Way | undefined {
  const leading = primary(model, name).filter(({ joinTo }) => joinTo === end || everyWay(model, joinTo, end).length > 0)
  const [direct] = leading.filter(({ joinTo }) => joinTo === end)
  if (direct) return [direct]
  const [only, ...others] = leading
  if (others.length > 0) return wayWithOneEnd(model, name, end)
  const rest = only && wayByRule(model, only.joinTo, end)
  return only && rest && [only, ...rest]
}

/** Several ways that all end with one join: the rule leads to the object of that join. */
function wayWithOneEnd(model: ModelJson, name: string, end: string): Way | undefined {
  const ways = everyWay(model, name, end)
  const last = ways[0]?.at(-1)
  const before = ways[0]?.at(-2)?.joinTo
  const toLast = last && before !== undefined && ways.every((way) => way.at(-1) === last) && wayByRule(model, name, before)
  return last && toLast ? [...toLast, last] : undefined
}

const everyWay = (model: ModelJson, name: string, end: string): readonly Way[] =>
  primary(model, name).flatMap((join) =>
    join.joinTo === end ? [[join]] : everyWay(model, join.joinTo, end).map((rest) => [join, ...rest]),
  )

/** Whether the way ends in a row. The role sees of each table only what its own policy leaves. */
function endsInRow(model: ModelJson, from: readonly [string, string], [join, ...rest]: Way, depth = 1): string {
  if (!join) return 'true'
  const there = [join.joinTo, `t${depth}`] as const
  const found = [joined(model, from, [join, there[1]]), endsInRow(model, there, rest, depth + 1)]
  return `EXISTS (SELECT 1 FROM ${quoted(model.dataObjects[join.joinTo]!.code)} AS t${depth} WHERE ${found.join(' AND ')})`
}

/** Under row security a key may refer to a row that is not there. */
const withoutPromises = (model: ModelJson): ModelJson => ({
  ...model,
  dataObjects: Object.fromEntries(
    Object.entries(model.dataObjects).map(([name, { joins, ...object }]) => [
      name,
      { ...object, ...(joins && { joins: joins.map(({ foreignKey: _, ...join }) => join) }) },
    ]),
  ),
})

/** Row security of every table: its own policies, and that each way to the object of one ends in a row that the role sees. */
function security(model: ModelJson, policies: readonly Policy[]): readonly string[] {
  const ends = new Set(policies.map(({ dataObject }) => dataObject))
  const views = Object.entries(model.dataObjects).map(
    ([name, { code }]) => `CREATE VIEW ${whole(model, name)} AS SELECT * FROM ${quoted(code)}`,
  )
  const secured = Object.entries(model.dataObjects).flatMap(([name, { code }]) => {
    const table = quoted(code)
    const own = policies.filter(({ dataObject }) => dataObject === name).map(({ sql }) => sql)
    const ways = [...ends].flatMap((end) => waysTo(model, name, end)).map((way) => endsInRow(model, [name, table], way))
    return [
      `GRANT SELECT ON ${table}, ${whole(model, name)} TO viewer`,
      `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
      `CREATE POLICY p ON ${table} USING (${[...own, ...ways].join(' AND ') || 'true'})`,
    ]
  })
  return [...views, ...secured]
}

const dropped = ({ dataObjects }: ModelJson): string =>
  Object.values(dataObjects)
    .map(({ code }) => `DROP TABLE ${quoted(code)} CASCADE`)
    .join('; ')

/** Two tables whose policies read each other are refused by PostgreSQL. */
const isOneWay = ({ dataObjects }: ModelJson): boolean =>
  Object.values(dataObjects).every(({ joins = [] }) => joins.every(({ joinType }) => joinType !== 'one-to-one'))

await orSkip(
  t,
  openEngine,
  ({ close }) => close(),
  async (engine) => {
    const { client } = engine
    await client.query('SET client_min_messages = warning; CREATE ROLE viewer')
    const ran = async (one: Case, model: SemanticModel): Promise<Ran | Refused> => {
      try {
        const storedTypes = physicalOf(one.model, postgres) ?? ('declared' as const)
        const context = { dialect: postgres, functions: builtInFunctions, aggregates: builtInAggregates, now: NOW, storedTypes }
        return await execute(engine, compile(parseQuery(one.query), model, context))
      } catch (error) {
        if (error instanceof GrainlineError) return { refused: error.code, why: error.message }
        throw error
      }
    }

    t.test(`${cases.length} generated queries under row security (ORACLE_SEED=${seed})`, { timeout: 600_000 }, async (t) => {
      const seen = { asked: 0, otherwise: 0, seeking: 0 }
      for (const index of cases) {
        const one = generateCase(seed, index, KINDS)
        if ('refused' in one.expected || !isOneWay(one.model)) continue
        const random = randomFrom(Math.imul(seed, 0x9e3779b1) + Math.imul(index + 1, 0x85ebca6b))
        const makers = random.pick([[plainPolicy], [seekingPolicy], [plainPolicy, seekingPolicy], [plainPolicy, plainPolicy]])
        const policies = makers.flatMap((make) => make(random, one.model) ?? [])
        const rules = policies.length > 0 ? rulesOf(one.model, policies) : undefined
        if (!rules) continue
        const json = policies.map((policy) => policy.json)
        const expected = evaluate(one.model, one.data, one.query, NOW, json)
        await engine.load(loadStatements(one.model, one.data))
        const [open, promised] = [parseModelJson(withoutPromises(one.model)), parseModelJson(one.model)]
        const bound = restrictedModel(promised, {
          rows: rules.map((rule) => ({ ...rule, label: '' })),
          missing: [],
          withholdsSql: true,
        })
        const ours = await compareCase(one, () => ran(one, bound), expected)
        await client.query(security(one.model, policies).join('; '))
        await client.query('SET ROLE viewer')
        const theirs = await compareCase(one, () => ran(one, open), expected)
        await client.query(`RESET ROLE; ${dropped(one.model)}`)
        for (const [side, mismatch] of [
          ['our statement', ours],
          ['row security', theirs],
        ] as const)
          if (mismatch) t.fail(`${side} ${JSON.stringify(json)}\n${report(`ORACLE_SEED=${seed} case ${index}`, one, mismatch)}`)
        seen.asked++
        if (JSON.stringify(expected, textOf) !== JSON.stringify(one.expected, textOf)) seen.otherwise++
        if (json.some((policy) => 'exists' in policy)) seen.seeking++
      }
      t.comment(JSON.stringify(seen))
      t.ok(
        seen.asked > cases.length / 4 && seen.otherwise > seen.asked / 10 && seen.seeking > seen.asked / 10,
        'policies change answers',
      )
    })
  },
)

const textOf = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)
