/** Measures that a query writes itself mean what they would mean in the model. */
import type { SemanticModel } from '@grainline/core'
import { duckdb } from '@grainline/dialect-duckdb'
import t from 'tap'
import { componentsOf } from '../../core/src/model/semantic-model.js'
import { compileFor, modelText, readQuestions } from '../corpus/corpus.js'
import { oneIn } from '../support/amount.js'
import { loadText } from '../support/compile.js'

type Json = Readonly<Record<string, unknown>>

const model = loadText(modelText())
const OF_LISTS = new Set(['hidden', 'owner', 'synonyms', 'status', 'use', 'customExtensions', 'comment'])
const PREFIX = 'own '

/** What the query would write for a field of the model; nothing for a row count, which the model adds. */
function written(name: string, { document }: SemanticModel): Json | undefined {
  const entry = document.measures?.[name] ?? document.metrics?.[name]
  if (entry === undefined) return undefined
  return { as: `${PREFIX}${name}`, ...Object.fromEntries(Object.entries(entry).filter(([key]) => !OF_LISTS.has(key))) }
}

/** The fields that a question names, and those that these are made of. */
function namedIn(query: Json): readonly string[] {
  const text = JSON.stringify(query)
  const all = [...model.measures.keys(), ...model.metrics.keys()]
  const found = new Set(all.filter((name) => text.includes(JSON.stringify(name)) || text.includes(`{[${name}]}`)))
  for (const name of found) {
    const metric = model.metrics.get(name)
    for (const component of metric ? componentsOf(metric) : []) found.add(component)
  }
  return [...found].filter((name) => written(name, model) !== undefined)
}

/** The question with measures of its own in place of those of the model. */
function own(query: Json): Json | undefined {
  const { select, compare, grouping } = query as { select: { measures?: string[] }; compare?: unknown; grouping?: unknown }
  if (compare !== undefined || grouping !== undefined || !select.measures) return undefined
  const names = namedIn(query)
  if (names.length === 0) return undefined
  const renamed = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const inBraces = names.reduce((text, name) => text.replaceAll(`{[${name}]}`, `{[${PREFIX}${name}]}`), value)
      return names.includes(value) ? `${PREFIX}${value}` : inBraces
    }
    if (Array.isArray(value)) return value.map(renamed)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, key === 'value' ? each : renamed(each)]))
  }
  const measures = renamed(select.measures)
  const { where, ...rest } = query
  const others = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, key === 'select' ? value : renamed(value)]))
  return {
    ...others,
    ...(where !== undefined && { where }),
    select: { ...select, measures },
    // A metric is made of the measures of the question, too.
    measures: names.map((name) => (model.metrics.has(name) ? renamed(written(name, model)) : written(name, model))),
  }
}

/** Lines are broken by their length. */
const unbroken = (sql: string): string => sql.replaceAll(/\s+/g, ' ')

t.test('a question with measures of its own has the statement of one with those of the model', async (t) => {
  let asked = 0
  for (const { name, query } of oneIn(2, readQuestions())) {
    const other = own(query as Json)
    if (!other) continue
    asked++
    const wanted = compileFor(duckdb, query, model)
    const found = compileFor(duckdb, other, model)
    t.equal(unbroken(found.sql.replaceAll(PREFIX, '')), unbroken(wanted.sql), name)
    t.strictSame(
      found.columns.map(({ name: _, ...column }) => column),
      wanted.columns.map(({ name: _, ...column }) => column),
      `${name}: columns`,
    )
  }
  t.comment(`${asked} questions`)
  t.ok(asked > 30)
})
