/** A listed field compiles and every other field is refused: checked for every field, on small, large and generated models. */

import t from 'tap'
import { parse } from 'yaml'
import { classesOf } from '../../core/src/discovery/alike.js'
import { composables } from '../../core/src/discovery/composables.js'
import { GrainlineError } from '../../core/src/errors.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import { NO_LIMITS } from '../../core/src/query/query-limits.js'
import { composing } from '../../core/src/service/composing.js'
import { generateCase } from '../oracle/generate/case.js'
import { amount, oneIn } from '../support/amount.js'
import { compileFor, compileParsed, loadText, readModel } from '../support/compile.js'

const url = (path: string): string => new URL(`../../${path}`, import.meta.url).pathname

interface Select {
  readonly dimensions?: readonly unknown[]
  readonly measures?: readonly string[]
}

const compiles = (query: object, model: SemanticModel): boolean => {
  try {
    compileFor(query, model)
    return true
  } catch (error) {
    if (error instanceof GrainlineError) return false
    throw error
  }
}

async function listed(query: object, model: SemanticModel) {
  const counter = { compiled: 0 }
  const composed = composing({ query }, model, NO_LIMITS)
  const found = await composables(composed.query, model, (asked) => {
    counter.compiled++
    return compileParsed(asked, composed.model).resolved.fact_tables
  })
  return { ...found, counter }
}

/** The first field that is in the wrong list, and the number of fields that were checked. */
async function held(query: { readonly select: Select }, model: SemanticModel): Promise<{ wrong: string[]; asked: number }> {
  const found = await listed(query, model)
  const { select } = query
  const wrong: string[] = []
  let asked = 0
  const hold = (name: string, isListed: boolean, added: Select) => {
    asked++
    if (compiles({ ...query, select: { ...select, ...added } }, model) !== isListed)
      wrong.push(`${name} ${isListed ? 'listed and refused' : 'not listed and compiles'}: ${JSON.stringify(query)}`)
  }
  for (const { name, hidden } of model.dimensions.values())
    if (!hidden) hold(name, found.dimensions.includes(name), { dimensions: [...(select.dimensions ?? []), name] })
  const fields = new Set([...found.measures, ...found.metrics, ...found.cflMeasures, ...found.cflMetrics])
  for (const name of [...model.measures.keys(), ...model.metrics.keys()])
    hold(name, fields.has(name), { measures: [...(select.measures ?? []), name] })
  return { wrong, asked }
}

for (const file of ['examples/flights/model.yaml', 'test/tpch/model.yaml']) {
  t.test(`for every field of ${file}, the listed fields compile with it and no others do`, async (t) => {
    const model = readModel(url(file))
    const dimensions = [...model.dimensions.keys()].map((name): Select => ({ dimensions: [name] }))
    const measures = [...model.measures.keys(), ...model.metrics.keys()].map((name): Select => ({ measures: [name] }))
    let asked = 0
    for (const select of [{}, ...oneIn(96, [...dimensions, ...measures])]) {
      const self = select.dimensions === undefined && select.measures === undefined ? true : compiles({ select }, model)
      const answer = self ? await held({ select }, model) : await held({ select }, model).catch(refused)
      asked += answer.asked
      t.same(answer.wrong, [])
    }
    t.ok(asked > amount(30, 200), `${asked} fields asked`)
  })
}

t.test('so they do for generated queries over generated models', async (t) => {
  let asked = 0
  for (let i = 0; i < amount(6, 200); i++) {
    const { model: json, query } = generateCase(4, i)
    const model = loadText(JSON.stringify(json))
    if (query.select.fields || query.order_by?.length) continue
    const answer = await held(query as { readonly select: Select }, model).catch(refused)
    asked += answer.asked
    t.same(answer.wrong, [])
  }
  t.ok(asked > amount(20, 120), `${asked} fields asked`)
})

/** A query with an error that no field can fix is refused: no field is listed, and none would compile. */
function refused(error: unknown): { wrong: string[]; asked: number } {
  if (error instanceof GrainlineError) return { wrong: [], asked: 0 }
  throw error
}

t.test('fields that read the same objects in the same way are compiled once', async (t) => {
  const model = wide(100)
  const found = await listed({ select: { dimensions: ['D0'] } }, model)
  t.equal(found.dimensions.length, 99)
  t.equal(found.measures.length, 100)
  t.ok(found.counter.compiled < 12, `${found.counter.compiled} compilations for 200 fields`)
})

t.test('a measure of another fact is listed separately', async (t) => {
  const model = wide(2)
  const beside = await listed({ select: { dimensions: ['D0'], measures: ['M0'] } }, model)
  t.same(beside, {
    anchorObjects: ['A'],
    dimensions: ['D1'],
    measures: [],
    metrics: [],
    cflMeasures: ['M1'],
    cflMetrics: [],
    counter: beside.counter,
  })
  const alone = await listed({}, model)
  t.same([alone.anchorObjects, alone.measures, alone.cflMeasures], [[], ['M0', 'M1'], []])
})

t.test('a query that lacks only a time dimension can be given it, and nothing else', async (t) => {
  const growth = {
    measure: 'Revenue',
    type: 'period_over_period',
    periodOverPeriod: { timeDimension: 'Placed', offset: -1, offsetGrain: 'month' },
  }
  const model = running({ Growth: growth })
  const { wrong, asked } = await held({ select: { measures: ['Growth'] } }, model)
  t.same(wrong, [])
  t.ok(asked > 2)
  const found = await listed({ select: { measures: ['Growth'] } }, model)
  t.same([found.dimensions, found.measures, found.metrics], [['Placed'], [], []])
})

t.test('a query that no additional field can fix returns its error', async (t) => {
  await t.rejects(listed({ select: { dimensions: ['Nothing'] } }, running()), { code: 'UNKNOWN_DIMENSION' })
  await t.rejects(listed({ select: {}, wherever: [] }, running()), { code: 'INVALID_QUERY', path: 'wherever' })
})

t.test('an anchor may be an object, whose rows are counted', (t) => {
  const model = wide(2)
  const { query, model: counting } = composing({ anchors: ['Shared', 'd1'] }, model, NO_LIMITS)
  t.same(query.select.measures, ['Count'])
  t.equal(counting.measures.get('Count')?.rowCountOf, 'Shared')
  t.same(query.select.dimensions, parseQuery({ select: { dimensions: ['D1'] } }).select.dimensions)
  t.throws(() => composing({ anchors: ['Shard'] }, model, NO_LIMITS), {
    code: 'FIELD_NOT_FOUND',
    details: { suggestions: ['Shared'] },
  })
  t.end()
})

t.test('a long chain of metrics is classified, too', (t) => {
  const metrics = Array.from({ length: 3000 }, (_, i) => [
    `C${i}`,
    { type: 'derived', expression: i === 0 ? '{[Revenue]} + 1' : `{[C${i - 1}]} + 1` },
  ])
  const model = running({ ...Object.fromEntries(metrics.reverse()) })
  const { metric } = classesOf(model)
  t.equal(new Set(Array.from({ length: 3000 }, (_, i) => metric(`C${i}`))).size, 3000)
  t.end()
})

const column = (code: string, abstractType = 'int', primaryKey = false) => ({ code, abstractType, primaryKey })

/** Facts A and B, each many-to-one to Shared, with alternating dimensions on Shared and measures on A and B. */
function wide(size: number): SemanticModel {
  const names = Array.from({ length: size }, (_, i) => i)
  const own = Object.fromEntries(names.map((i) => [`c${i}`, column(`c${i}`)]))
  const joins = [{ joinType: 'many-to-one', joinTo: 'Shared', columnsFrom: ['Shared Id'], columnsTo: ['Id'] }]
  const fact = { columns: { Id: column('id', 'int', true), 'Shared Id': column('shared_id'), ...own }, joins }
  return loadText(
    JSON.stringify({
      version: 1,
      exposeCounts: false,
      dataObjects: {
        A: { code: 'a', ...fact },
        B: { code: 'b', ...fact },
        Shared: { code: 's', columns: { Id: column('id', 'int', true), ...own } },
      },
      dimensions: Object.fromEntries(names.map((i) => [`D${i}`, { dataObject: 'Shared', column: `c${i}` }])),
      measures: Object.fromEntries(
        names.map((i) => [`M${i}`, { aggregation: 'sum', columns: [{ dataObject: i % 2 ? 'B' : 'A', column: `c${i}` }] }]),
      ),
    }),
  )
}

function running(metrics: object = {}): SemanticModel {
  const text = `
version: 1
dataObjects:
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Placed: { code: placed, abstractType: date }
      Status: { code: status, abstractType: string }
      Amount: { code: amount, abstractType: int }
dimensions:
  Placed: { dataObject: Orders, column: Placed }
  Status: { dataObject: Orders, column: Status }
measures:
  Revenue: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }
`
  const soFar = { type: 'cumulative', measure: 'Revenue', timeDimension: 'Placed' }
  return loadText(JSON.stringify({ ...parse(text), metrics: { 'Revenue So Far': soFar, ...metrics } }))
}
