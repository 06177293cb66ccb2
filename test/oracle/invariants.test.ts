/** Invariants that every answer must keep, checked on DuckDB itself with generated cases, without the oracle. The title of each has its number. */
import t from 'tap'
import { caseNumbers } from '../support/amount.js'
import { type Ran, type Refused, sameValue } from './compare.js'
import { compileQuery, NOW, parseModelJson, runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import { type Case, generateCase } from './generate/case.js'
import { componentsOf, LATER, type Later } from './generate/later.js'
import { isFuzzy } from './generate/metrics.js'
import { randomFrom } from './generate/random.js'
import { declaredBackwards, renamed, selected, unpaged } from './invariants.js'
import type { ModelJson, QueryJson, Tables } from './model.js'
import { add, compare, Dec, int, keyOfAll, show, type Value } from './values.js'
import { kindOf } from './world.js'

const seed = Number(process.env['ORACLE_SEED'] ?? 20260115)
const cases = caseNumbers('INVARIANT_CASES', 3, 75, 2000)

const engine = await openEngine()
t.teardown(engine.close)
const run = runOn(engine)

type Check = (one: Case, index: number) => Promise<string | undefined | 'skipped'>

/** Runs `check` on generated cases that have an answer; the first fault is shown with its statements. */
function invariant(name: string, shapes: (query: QueryJson) => boolean, check: Check, mixed: readonly Later[] = []): void {
  holds(`${name}, in the basic language`, [], shapes, check)
  if (mixed.length > 0) holds(`${name}, with every kind to which it applies`, mixed, shapes, check)
}

function holds(name: string, kinds: readonly Later[], shapes: (query: QueryJson) => boolean, check: Check): void {
  t.test(`${name} (ORACLE_SEED=${seed})`, async (t) => {
    let held = 0
    for (const index of cases) {
      const { model, data, query, expected } = caseOf(index, kinds)
      if ('refused' in expected || !shapes(query)) continue
      const fault = await check({ model, data, query }, index)
      if (fault === 'skipped') continue
      if (fault !== undefined) return t.fail(`case ${index}: ${fault}\nquery ${JSON.stringify(query)}`)
      held++
    }
    t.comment(`held on ${held} cases`)
    t.ok(held > 0, 'it was checked in some cases')
  })
}

/** Generated once for all invariants over the same kinds. */
const generated = new Map<string, ReturnType<typeof generateCase>>()
function caseOf(index: number, kinds: readonly Later[]): ReturnType<typeof generateCase> {
  const key = `${index} ${kinds}`
  const one = generated.get(key) ?? generateCase(seed, index, kinds)
  generated.set(key, one)
  return one
}

const answered = async (model: ModelJson, data: Tables, query: QueryJson): Promise<Ran | undefined> => {
  const outcome: Ran | Refused = await run(model, data, query)
  return 'refused' in outcome ? undefined : outcome
}
const hasMeasures = (q: QueryJson): boolean => (q.select.measures ?? []).length > 0
const anyShape = (): boolean => true

/** Compares the rows in any order; undefined if both are the same. */
function difference(left: Ran, right: Ran): string | undefined {
  const rest = [...right.rows]
  for (const row of left.rows) {
    const at = rest.findIndex((r) => r.length === row.length && row.every((v, i) => sameValue(v, r[i]!)))
    if (at < 0)
      return `row ${row.map(show).join(' | ')} is missing from\n${right.rows.map((r) => r.map(show).join(' | ')).join('\n')}\n${left.sql}\n---\n${right.sql}`
    rest.splice(at, 1)
  }
  return rest.length === 0
    ? undefined
    : `${rest.length} more rows, such as ${rest[0]!.map(show).join(' | ')}\n${left.sql}\n---\n${right.sql}`
}

invariant(
  '1: adding a measure, a metric or an order changes no other value',
  hasMeasures,
  async ({ model, data, query }, index) => {
    const base = unpaged(query)
    const random = randomFrom(index)
    const extra = random.pick([
      ...Object.keys(model.measures ?? {}),
      ...Object.keys(model.metrics ?? {}),
      `${random.pick(Object.keys(model.dataObjects))} Count`,
    ])
    if (selected(base).includes(extra)) return 'skipped'
    const [alone, beside] = [
      await answered(model, data, base),
      await answered(model, data, {
        ...base,
        select: { ...base.select, measures: [...base.select.measures!, extra] },
        order_by: [{ field: extra }],
      }),
    ]
    if (!alone || !beside) return 'skipped'
    const places = alone.columns.map((c) => beside.columns.indexOf(c))
    const keys = alone.columns.flatMap((c, i) => (base.select.measures!.includes(c) ? [] : [i]))
    const keyOf = (row: readonly Value[]): string => keyOfAll(keys.map((i) => row[i]!))
    const others = new Map(beside.rows.map((r) => places.map((p) => r[p]!)).map((r) => [keyOf(r), r]))
    const changed = alone.rows.find((r) => {
      const other = others.get(keyOf(r))
      return other ? !r.every((v, i) => sameValue(v, other[i]!)) : !hasCoarser(model)
    })
    return changed && `${extra} beside changes ${changed.map(show).join(' | ')}\n${alone.sql}\n---\n${beside.sql}`
  },
  LATER,
)

/** A value at a coarser grain creates rows only if no other measure has any (docs/decisions/rows.md). */
const hasCoarser = ({ measures = {} }: ModelJson): boolean =>
  Object.values(measures).some(({ grain, total }) => grain !== undefined || total === true)

/** Sums and counts of exact numbers, without their own filters. */
function additive(model: ModelJson, name: string): boolean {
  if (name.endsWith(' Count')) return true
  const measure = model.measures?.[name]
  if (!measure || measure.distinct || measure.dataType !== undefined || isFuzzy(model, name)) return false
  return measure.aggregation === 'count' || measure.aggregation === 'sum'
}

const overlaps = (model: ModelJson, query: QueryJson): boolean =>
  compileQuery(query, parseModelJson(model)).warnings.some((w) => w.code === 'OVERLAPPING_GROUPS')

const total = (rows: Ran['rows'], column: number): Value =>
  rows
    .map((r) => r[column]!)
    .filter((v) => v !== null)
    .reduce<Value>((a, b) => add(a, b), int(0))

invariant('2: the groups of an additive measure sum to its ungrouped value', hasMeasures, async ({ model, data, query }) => {
  const name = query.select.measures!.find((m) => additive(model, m))
  const dimensions = query.select.dimensions ?? []
  if (name === undefined || dimensions.length === 0) return 'skipped'
  const base: QueryJson = {
    ...unpaged(query),
    select: { measures: [name] },
    where: (query.where ?? []).filter((f) => !JSON.stringify(f).includes('any of them')),
  }
  const grouped = await answered(model, data, { ...base, select: { dimensions, measures: [name] } })
  const whole = await answered(model, data, base)
  if (!grouped || !whole || overlaps(model, { ...base, select: { dimensions, measures: [name] } })) return 'skipped'
  const [sum, expected] = [total(grouped.rows, dimensions.length), whole.rows[0]![0] ?? int(0)]
  return close(sum, expected)
    ? undefined
    : `${name}: groups sum to ${show(sum)}, ungrouped is ${show(expected)}\n${grouped.sql}\n---\n${whole.sql}`
})

const close = (a: Value, b: Value): boolean =>
  a instanceof Dec && b instanceof Dec
    ? compare(a, b) === 0
    : Math.abs(compare(a, b)) <= 1e-9 * Math.max(1, Math.abs(Number(show(a))))

/** Whether a field is a window, or has one below it: it breaks ties by the dimensions in their order. */
const readsWindow = (model: ModelJson, name: string): boolean => {
  const metric = model.metrics?.[name]
  return metric !== undefined && (metric.type === 'window' || componentsOf(metric).some((part) => readsWindow(model, part)))
}

invariant(
  '3: the order of dimensions and measures changes only the order of columns',
  // The levels of a rollup depend on the order of its dimensions.
  (q) => selected(q).length > 1 && (typeof q.grouping === 'object' ? q.grouping.sets : q.grouping) !== 'rollup',
  async ({ model, data, query }) => {
    if (selected(query).some((name) => readsWindow(model, name))) return 'skipped'
    const base = unpaged(query)
    const turned = {
      ...base,
      select: {
        ...base.select,
        dimensions: (base.select.dimensions ?? []).toReversed(),
        measures: (base.select.measures ?? []).toReversed(),
      },
    }
    const [left, right] = [await answered(model, data, base), await answered(model, data, turned)]
    if (!left || !right) return left || right ? 'refused in one order only' : 'skipped'
    const places = left.columns.map((c) => right.columns.indexOf(c))
    return difference(left, { ...right, rows: right.rows.map((r) => places.map((p) => r[p]!)) })
  },
  // Listed sets are in the order of the dimensions.
  LATER.filter((kind) => kind !== 'grouping' && kind !== 'window' && kind !== 'periods'),
)

invariant(
  '3: the order of declarations changes nothing at all',
  anyShape,
  async ({ model, data, query }) => {
    const [left, right] = [await answered(model, data, query), await answered(declaredBackwards(model), data, query)]
    if (!left || !right) return left || right ? 'refused in one order of declarations only' : 'skipped'
    return difference(left, right)
  },
  LATER,
)

invariant(
  '4: X = a, X <> a and X IS NULL partition the rows of X reached directly, and cover them through a bridge',
  anyShape,
  async ({ model, data }, index) => {
    const random = randomFrom(index)
    const [name, dimension] = random.pick(Object.entries(model.dimensions!))
    const object = random.pick(Object.keys(model.dataObjects))
    const values = data[dimension.dataObject]!.map((r) => r[dimension.column!]).filter((v) => v !== null && v !== undefined)
    if (values.length === 0) return 'skipped'
    const counted = async (...where: NonNullable<QueryJson['where']>): Promise<Value | undefined> =>
      (await answered(model, data, { select: { measures: [`${object} Count`] }, where }))?.rows[0]?.[0]
    const value = random.pick(values)
    const whole = await counted()
    const [equal, unequal, missing] = [
      await counted({ field: name, op: '=', value }),
      await counted({ field: name, op: '<>', value }),
      await counted({ field: name, op: 'is_null' }),
    ]
    if (equal === undefined || unequal === undefined || missing === undefined || whole === undefined) return 'skipped'
    const sum = add(add(equal, unequal), missing)
    const order = compare(sum, whole)
    const bridged = overlaps(model, { select: { dimensions: [name], measures: [`${object} Count`] } })
    return order === 0 || (bridged && order > 0)
      ? undefined
      : `${object} by ${name} = ${value}: ${show(equal)} + ${show(unequal)} + ${show(missing)} for ${show(whole)}`
  },
)

invariant('6: a static filter on a bridge object removes no base row', anyShape, async ({ model, data }, index) => {
  const random = randomFrom(index)
  const names = Object.keys(model.dataObjects)
  const [home, bridge] = [random.pick(names), random.pick(names)]
  if (reachesInDocument(model, home, bridge)) return 'skipped'
  const query: QueryJson = { select: { measures: [`${home} Count`] } }
  const filtered = {
    ...model,
    filters: [
      ...(model.filters ?? []),
      { dataObject: bridge, column: Object.keys(model.dataObjects[bridge]!.columns)[0]!, operator: 'is_null' },
    ],
  }
  const [left, right] = [await answered(model, data, query), await answered(filtered, data, query)]
  return left && right ? difference(left, right) : 'skipped'
})

/** By any join of the document in any role, so that no object that may be reached counts as a bridge. */
function reachesInDocument(model: ModelJson, from: string, to: string, seen: readonly string[] = []): boolean {
  if (from === to) return true
  const next = Object.entries(model.dataObjects).flatMap(([o, { joins = [] }]) =>
    joins.flatMap((j) => (o === from ? [j.joinTo] : j.joinTo === from && j.joinType === 'one-to-one' ? [o] : [])),
  )
  return next.some((n) => !seen.includes(n) && reachesInDocument(model, n, to, [...seen, from]))
}

invariant(
  '7: a value at a coarse grain is computed from those of the finer grain',
  hasMeasures,
  async ({ model, data, query }) => {
    const name = query.select.measures!.find((m) => additive(model, m))
    const time = Object.entries(model.dimensions!).find(([, d]) =>
      ['date', 'timestamp'].includes(kindOf(model.dataObjects[d.dataObject]!.columns[d.column!]!)),
    )
    if (name === undefined || time === undefined) return 'skipped'
    const at = async (grain: string): Promise<Ran | undefined> =>
      answered(model, data, { select: { dimensions: [`${time[0]}:${grain}`], measures: [name] } })
    const [days, months] = [await at('day'), await at('month')]
    if (!days || !months || overlaps(model, { select: { dimensions: [`${time[0]}:day`], measures: [name] } })) return 'skipped'
    const folded = new Map<string, Value>()
    for (const [day, value] of days.rows) {
      const month = day === null ? 'NULL' : show(day!).slice(0, 7)
      folded.set(month, value === null ? (folded.get(month) ?? null) : add(folded.get(month) ?? int(0), value!))
    }
    const wrong = months.rows.find(([month, value]) => {
      const fold = folded.get(month === null ? 'NULL' : show(month!).slice(0, 7))
      return fold === undefined || (value === null || fold === null ? value !== fold : !close(value!, fold))
    })
    return wrong || folded.size !== months.rows.length
      ? `${name} by ${time[0]}: ${wrong?.map(show).join(' | ')}\n${days.sql}\n---\n${months.sql}`
      : undefined
  },
)

invariant('8: renaming everything renames columns and changes nothing else', anyShape, async (one) => {
  const other = renamed(one.model, one.data, one.query)
  const left = await answered(one.model, one.data, one.query)
  const right = await answered(other.model, other.data, other.query)
  if (!left || !right) return left || right ? 'refused under one set of names only' : 'skipped'
  return difference(left, right)
})

invariant(
  '9: the same query against the same model gives byte-identical SQL, on any day',
  anyShape,
  async ({ model, query }) => {
    const fresh = (now: Date): string =>
      compileQuery(query, parseModelJson(JSON.parse(JSON.stringify(model)) as ModelJson), now).sql
    if (JSON.stringify([query, model]).includes('"relative"')) return 'skipped'
    return fresh(NOW) === fresh(new Date('2031-07-07T07:07:07Z')) ? undefined : 'another text'
  },
  LATER,
)
