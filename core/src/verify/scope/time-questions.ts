/** Questions about times: their zone, states of one thing on many days, and days that were loaded twice. */
import { INT, isTemporal } from '../../model/data-type.js'
import { binary, integer } from '../../resolve/expressions.js'
import { numberAt } from '../run-statement.js'
import { aggregate, item, sumWhere } from '../sql-parts.js'
import type { VerifyContext } from '../verify-context.js'
import { askOverGroups } from './ask-rows.js'
import { type ColumnFacts, type ObjectFacts, refOf } from './object-facts.js'
import type { ScopeQuestion } from './scope-question.js'
import { counted } from './shares.js'

/** A part of the grid of things and days that has rows, if each thing has a row on each day. */
const DENSE = 0.8
/** Days before the newest in which a load may have been repeated. */
const RECENT_DAYS = 7
const DAY_MS = 24 * 3600 * 1000

export async function timeQuestions(facts: ObjectFacts, context: VerifyContext): Promise<readonly ScopeQuestion[]> {
  if (facts.rows < 5) return []
  return [...(await snapshotQuestions(facts, context)), ...(await repeatedQuestions(facts, context))]
}

/** Times without a zone of all objects, in one question. */
export function zoneQuestions(all: readonly ObjectFacts[], { model }: VerifyContext): readonly ScopeQuestion[] {
  if (model.settings.defaultTimezone !== undefined) return []
  const naive = all.flatMap(({ object, columns }) =>
    columns.flatMap(({ name, type, clocked }) => (type.kind === 'timestamp' && clocked > 0 ? [`${object.name}.${name}`] : [])),
  )
  const [first] = naive
  if (first === undefined) return []
  return [
    {
      kind: 'naive-times',
      question: 'In which time zone are the times that have none?',
      path: `dataObjects.${first.split('.')[0] ?? ''}`,
      evidence: `times within days, without a zone: ${naive.slice(0, 8).join(', ')}${naive.length > 8 ? ` and ${naive.length - 8} more` : ''}`,
      settle: 'settings:\n  defaultTimezone: UTC',
    },
  ]
}

/** Each of several things has one row for nearly each day: sums over days add the same things again. */
async function snapshotQuestions(facts: ObjectFacts, context: VerifyContext): Promise<readonly ScopeQuestion[]> {
  const { object, rows } = facts
  if (facts.sums.length === 0) return []
  const days = facts.columns.filter(
    (column) => (isDay(column) || isYear(column)) && column.distinct >= 3 && column.present === rows,
  )
  const things = facts.columns.filter(
    ({ type, distinct, present }) => ['int', 'string'].includes(type.kind) && distinct >= 2 && present === rows,
  )
  for (const day of days) {
    const single = things.map(({ name, distinct }) => ({ names: [name], distinct }))
    for (const thing of [...single, ...(await keyBeside(facts, day, context))]) {
      const grid = day.distinct * thing.distinct
      if (
        thing.names.includes(day.name) ||
        rows > grid ||
        rows < grid * DENSE ||
        thing.distinct === rows ||
        day.distinct === rows
      )
        continue
      if (!(await isUnique(facts, [day.name, ...thing.names], context))) continue
      return [
        {
          kind: 'snapshots',
          question: `Is '${object.name}' the state of each ${thing.names.map((name) => `'${name}'`).join(' and ')} on each '${day.name}', so that its sums do not add up over time?`,
          path: `dataObjects.${object.name}`,
          evidence: `${counted(rows)} rows for ${counted(thing.distinct)} values at ${counted(day.distinct)} times, each once; a sum over time adds ${facts.sums.map(({ name }) => name).join(', ')} again`,
          settle: `measures:\n${facts.sums.map(({ name }) => `  ${name}: ${lastOf(facts, name, day.name, context)}`).join('\n')}`,
        },
      ]
    }
  }
  return []
}

/** The other columns of a key that has the day: each film in each store. */
async function keyBeside(
  { object }: ObjectFacts,
  day: ColumnFacts,
  context: VerifyContext,
): Promise<readonly { readonly names: readonly string[]; readonly distinct: number }[]> {
  const names = object.key.filter((name) => name !== day.name)
  if (names.length < 2 || names.length === object.key.length) return []
  const wanted = Object.fromEntries(names.map((name, i) => [`k${i}`, refOf(object.name, name)]))
  const row = await askOverGroups(
    { object: object.name, wanted, keys: Object.keys(wanted) },
    {
      inner: () => [item('n', aggregate('count', [], INT), INT)],
      outer: ({ n = integer(0) }) => [item('things', aggregate('count', [n], INT), INT)],
    },
    context,
  )
  return [{ names, distinct: numberAt(row, 'things') }]
}

const isDay = ({ type, clocked }: ColumnFacts): boolean => isTemporal(type) && type.kind !== 'timestamp_tz' && clocked === 0

const isYear = ({ type, min, max }: ColumnFacts): boolean => type.kind === 'int' && Number(min) >= 1700 && Number(max) <= 2200

/** The measure as it is written, with the last day of each period in place of the sum over its days; over years, their average. */
function lastOf({ object }: ObjectFacts, measure: string, day: string, { model }: VerifyContext): string {
  const written = model.document.measures?.[measure]
  const isTime = isTemporal(object.columns.get(day)?.type ?? INT)
  if (!isTime) return JSON.stringify({ ...written, aggregation: 'avg' })
  const times = [...model.dimensions.values()].filter(({ dataObject, column }) => dataObject === object.name && column === day)
  const timeDimension = times[0]?.name ?? day
  return JSON.stringify({ ...written, semiAdditive: { timeDimension, take: 'last' } })
}

async function isUnique({ object }: ObjectFacts, names: readonly string[], context: VerifyContext): Promise<boolean> {
  const wanted = Object.fromEntries(names.map((name, i) => [`k${i}`, refOf(object.name, name)]))
  const row = await askOverGroups(
    { object: object.name, wanted, keys: Object.keys(wanted) },
    {
      inner: () => [item('n', aggregate('count', [], INT), INT)],
      outer: ({ n = integer(0) }) => [item('repeated', sumWhere(integer(1), [binary('>', n, integer(1))]), INT)],
    },
    context,
  )
  return numberAt(row, 'repeated') === 0
}

/** A column that is a key, except in the newest days. */
async function repeatedQuestions(facts: ObjectFacts, context: VerifyContext): Promise<readonly ScopeQuestion[]> {
  const { object, rows, columns } = facts
  const nearly = columns.filter(
    ({ type, distinct, present }) =>
      ['int', 'string'].includes(type.kind) && present === rows && distinct < rows && distinct > rows * 0.8,
  )
  const times = columns.filter(({ type, present, distinct }) => isTemporal(type) && present > rows * 0.9 && distinct > 2)
  for (const key of nearly) {
    for (const time of times) {
      const found = await repeatsOf(facts, key, time, context)
      if (found === undefined) continue
      return [
        {
          kind: 'repeated-load',
          question: `Are the repeated values of '${key.name}' of '${object.name}' in its last days the same rows, loaded twice?`,
          path: `dataObjects.${object.name}`,
          evidence: `${counted(found.repeated)} of ${counted(key.distinct)} values are on more than one row, all since ${found.since.slice(0, 10)}; before that, '${key.name}' is unique`,
          settle: `# delete the rows of the second load, or read each row once:\ndataObjects:\n  ${object.name}: { code: '(SELECT DISTINCT * FROM ${tableOf(object)})' }`,
        },
      ]
    }
  }
  return []
}

const tableOf = ({ name, source }: ObjectFacts['object']): string =>
  source.kind === 'days' || source.kind === 'closure'
    ? name
    : source.kind === 'sql'
      ? `(${source.sql})`
      : [source.database, source.schema, source.name].filter((part) => part !== undefined).join('.')

async function repeatsOf(
  { object }: ObjectFacts,
  key: ColumnFacts,
  time: ColumnFacts,
  context: VerifyContext,
): Promise<{ readonly repeated: number; readonly since: string } | undefined> {
  const row = await askOverGroups(
    { object: object.name, wanted: { key: refOf(object.name, key.name), time: refOf(object.name, time.name) }, keys: ['key'] },
    {
      inner: (reads) => [
        item('n', aggregate('count', [], INT), INT),
        item('first', aggregate('min', [reads['time'] ?? integer(0)], time.type), time.type),
      ],
      outer: ({ n = integer(0), first = integer(0) }) => {
        const isRepeated = binary('>', n, integer(1))
        const since = { kind: 'case' as const, branches: [{ when: isRepeated, then: first }], otherwise: undefined }
        return [
          item('repeated', sumWhere(integer(1), [isRepeated]), INT),
          item('since', aggregate('min', [since], time.type), time.type),
        ]
      },
    },
    context,
  )
  const since = String(row.get('since') ?? '')
  const [begin, first, last] = [time.min, since, time.max].map((value) => Date.parse(String(value).replace(' ', 'T')))
  if (begin === undefined || first === undefined || last === undefined || Number.isNaN(first)) return undefined
  const isRecent = last - first <= RECENT_DAYS * DAY_MS && last - begin > 3 * RECENT_DAYS * DAY_MS
  return isRecent ? { repeated: numberAt(row, 'repeated'), since } : undefined
}
