/** Generated statements, each written for the model and for one flat table of the rows of its fact. */
import type { Random } from '../../oracle/generate/random.js'

export interface Pair {
  readonly model: string
  readonly flat: string
}

const DIMENSIONS = ['Kind', 'Owner', 'Currency', 'Note', 'Day'] as const

/** Measures, and what they mean over the flat table. */
const MEASURES = [
  ['"Lines"', 'count(*)'],
  ['"Amount"', 'sum(amount)'],
  ['MEASURE("Largest")', 'max(amount)'],
  ['COUNT(*)', 'count(*)'],
  ['SUM("Amount")', 'sum(amount)'],
] as const

const q = (name: string): string => `"${name}"`

/** A text that both statements share. */
const same = (text: string): Pair => ({ model: text, flat: text })

const join = (pairs: readonly Pair[], separator: string): Pair => ({
  model: pairs.map((pair) => pair.model).join(separator),
  flat: pairs.map((pair) => pair.flat).join(separator),
})

const text = (parts: TemplateStringsArray, ...values: readonly (Pair | string)[]): Pair =>
  join(
    parts.flatMap((part, i) => {
      const value = values[i]
      return [same(part), ...(value === undefined ? [] : [typeof value === 'string' ? same(value) : value])]
    }),
    '',
  )

export function generateStatement(random: Random): Pair {
  return random.pick(SHAPES)(random)
}

/** The condition, which often excludes nothing: no statement may change with it. */
function where(random: Random): string {
  if (random.chance(0.4)) return ''
  const of = q(random.pick(DIMENSIONS.filter((name) => name !== 'Day')))
  return ` WHERE ${random.pick([
    `(${of} IS NULL OR ${of} IS NOT NULL)`,
    `(${of} <> 'nothing' OR ${of} IS NULL)`,
    `1 = 1`,
    `${of} IS NOT NULL`,
    `${of} IS NULL`,
    `"Kind" IN ('cash', 'bank')`,
    `upper("Note") = 'B'`,
    `("Owner" = 'Ann' OR "Note" = 'a')`,
    `"Day" >= DATE '2025-02-10'`,
    `"Currency" = 'none'`,
  ])}`
}

function expression(random: Random): string {
  const name = random.pick(DIMENSIONS)
  if (name === 'Day') return random.pick(['"Day"', `extract(month FROM "Day")`])
  return random.pick([
    q(name),
    q(name),
    `upper(${q(name)})`,
    `coalesce(${q(name)}, '?')`,
    `CASE WHEN ${q(name)} = 'cash' THEN 1 ELSE 2 END`,
  ])
}

/** An aggregate of a dimension that ignores how often a value occurs. */
function ofValues(random: Random): string {
  const name = random.pick(DIMENSIONS)
  const of = name !== 'Day' && random.chance(0.25) ? `upper(${q(name)})` : q(name)
  return random.pick([`COUNT(DISTINCT ${of})`, `COUNT(DISTINCT ${of})`, `MIN(${of})`, `MAX(${of})`])
}

const measure = (random: Random): Pair => {
  const [model, flat] = random.pick(MEASURES)
  return { model, flat }
}

const some = (random: Random, low: number, high: number): string[] => random.some(DIMENSIONS, random.between(low, high)).map(q)

const positions = (count: number): string => Array.from({ length: count }, (_, i) => i + 1).join(', ')

const named = (items: readonly (Pair | string)[]): Pair =>
  join(
    items.map((item, i) => text`${item} AS x${String(i + 1)}`),
    ', ',
  )

const MODEL_SUM: Pair = { model: '"Amount"', flat: 'sum(amount)' }
const MODEL_COUNT: Pair = { model: '"Lines"', flat: 'count(*)' }

const SHAPES: readonly ((random: Random) => Pair)[] = [
  // Filter lists.
  (random) => same(`SELECT DISTINCT ${some(random, 1, 2).join(', ')} FROM ledger${where(random)}`),
  (random) => same(`SELECT ${some(random, 1, 1)[0]} FROM ledger${where(random)} GROUP BY 1`),
  (random) => same(`SELECT DISTINCT ${expression(random)} AS e FROM ledger${where(random)}`),
  // Aggregates of dimensions, alone, by groups, and with a measure beside them.
  (random) => same(`SELECT ${[1, 2].map(() => ofValues(random)).join(', ')} FROM ledger${where(random)}`),
  (random) => {
    const keys = some(random, 1, 2)
    const beside = random.chance(0.5) ? [measure(random)] : []
    const items = named([...keys, ofValues(random), ofValues(random), ...beside])
    return text`SELECT ${items} FROM ledger${where(random)} GROUP BY ${positions(keys.length)}`
  },
  (random) => {
    const [key] = some(random, 1, 1)
    return text`SELECT ${key!}, ${ofValues(random)} AS v FROM ledger${where(random)} GROUP BY 1 HAVING ${measure(random)} > 5`
  },
  (random) => {
    const e = expression(random)
    return text`SELECT ${named([e, ofValues(random), measure(random)])} FROM ledger${where(random)} GROUP BY 1`
  },
  // Subselects that are rows.
  (random) => {
    const [a, b] = [expression(random), expression(random)]
    const aggregate = random.pick([
      'COUNT(DISTINCT b)',
      'COUNT(*)',
      'COUNT(b)',
      'MIN(b)',
      'MAX(b)',
      'COUNT(DISTINCT b), COUNT(*)',
    ])
    return same(`SELECT a, ${aggregate} FROM (SELECT ${a} AS a, ${b} AS b FROM ledger${where(random)}) t GROUP BY a`)
  },
  (random) =>
    same(
      `SELECT ${random.pick(['COUNT(DISTINCT a)', 'COUNT(*)', 'MIN(a), MAX(a)', 'COUNT(a)'])} FROM (SELECT ${expression(random)} AS a FROM ledger${where(random)}) t`,
    ),
  (random) => {
    const keys = some(random, 1, 2)
    const how = random.chance(0.5)
    const inner = how
      ? `SELECT DISTINCT ${keys.join(', ')} FROM ledger${where(random)}`
      : `SELECT ${keys.join(', ')} FROM ledger${where(random)} GROUP BY ${positions(keys.length)}`
    return same(`SELECT COUNT(*), COUNT(${keys[0]}), COUNT(DISTINCT ${keys[0]}) FROM (${inner}) t`)
  },
  (random) => {
    const [key, other] = some(random, 2, 2)
    return same(
      `SELECT count(*), count(k) FROM (SELECT ${key} AS k, COUNT(DISTINCT ${other}) AS n FROM ledger${where(random)} GROUP BY 1) t WHERE n >= 0`,
    )
  },
  // Every column of a subselect, of which the outer statement reads a few.
  (random) => {
    const [key] = some(random, 1, 1)
    const [model, flat] = random.pick([MEASURES[0], MEASURES[1]])
    const inside = where(random)
    return {
      model:
        `SELECT u, SUM(${model}) AS s FROM (SELECT *, ${random.pick(['upper', 'lower'])}(${key === '"Day"' ? '"Note"' : key}) AS u FROM ledger${inside}) t GROUP BY 1`.replace(
          'lower(',
          'upper(',
        ),
      flat: `SELECT upper(${key === '"Day"' ? '"Note"' : key}) AS u, ${flat} AS s FROM ledger${inside} GROUP BY 1`,
    }
  },
  (random) =>
    same(`SELECT COUNT(DISTINCT u), COUNT(*) FROM (SELECT *, coalesce("Owner", 'none') AS u FROM ledger${where(random)}) t`),
  (random) => {
    const [key] = some(random, 1, 1)
    const inside = where(random)
    return same(
      `SELECT ${key}, COUNT(DISTINCT u) FROM (SELECT *, coalesce("Owner", 'none') AS u FROM ledger) t${inside} GROUP BY 1`,
    )
  },
  // DISTINCT ON.
  (random) => {
    const [a, b] = some(random, 2, 2)
    const way = random.pick(['', ' DESC'])
    return same(
      `SELECT DISTINCT ON (${a}) ${a}, ${b} FROM ledger${where(random)} ORDER BY ${a}, ${b}${way} NULLS ${random.pick(['FIRST', 'LAST'])}`,
    )
  },
  (random) => {
    const [a, b] = some(random, 2, 2)
    return text`SELECT DISTINCT ON (${a!}) ${a!}, ${b!}, ${{ model: '"Lines"', flat: 'count(*)' }} AS n FROM ledger${where(random)} GROUP BY 1, 2 ORDER BY ${a!}, 3 DESC, ${b!}`
  },
  (random) => {
    const [a, b] = some(random, 2, 2)
    return same(`SELECT count(*) FROM (SELECT DISTINCT ON (${a}) ${a}, ${b} FROM ledger${where(random)} ORDER BY ${a}, ${b}) t`)
  },
  // Conditions with a subselect.
  (random) => {
    const [key] = some(random, 1, 1)
    return text`SELECT ${key!}, ${measure(random)} AS m FROM ledger WHERE ${key!} IN (SELECT ${key!} FROM ledger${where(random)}) GROUP BY 1`
  },
  (random) => {
    const [key] = some(random, 1, 1)
    return same(
      `SELECT DISTINCT ${key} FROM ledger WHERE ${key} NOT IN (SELECT ${key} FROM ledger WHERE ${key} IS NOT NULL AND "Kind" = 'cash')`,
    )
  },
  (random) => {
    const [key] = some(random, 1, 1)
    return same(`SELECT ${key} FROM ledger${where(random)} UNION SELECT ${key} FROM ledger${where(random)}`)
  },
  (random) => {
    const [key] = some(random, 1, 1)
    return same(`SELECT count(*) FROM (SELECT ${key} FROM ledger${where(random)} UNION ALL SELECT ${key} FROM ledger) t`)
  },
  // Level of detail: a question joined with a coarser one.
  (random) => {
    const [a, b] = some(random, 2, 2)
    const inside = where(random)
    const fine = text`SELECT ${a!} AS a, ${b!} AS b, ${{ model: '"Lines"', flat: 'count(*)' }} AS n FROM ledger${inside} GROUP BY 1, 2`
    const coarse = text`SELECT ${a!} AS a, ${{ model: '"Amount"', flat: 'sum(amount)' }} AS s FROM ledger${inside} GROUP BY 1`
    return text`SELECT f.a, f.b, f.n, c.s FROM (${fine}) f JOIN (${coarse}) c ON f.a IS NOT DISTINCT FROM c.a`
  },
  // A subselect that lists columns or groups, of which the outer statement reads a few.
  (random) => {
    const keys = some(random, 1, 3)
    const grouped = random.chance(0.5) ? ` GROUP BY ${positions(keys.length)}` : ''
    const inner = text`SELECT ${named(keys)}, ${MODEL_SUM} AS s, ${MODEL_COUNT} AS n FROM ledger${where(random)}`
    const outer = random.pick(['x1', 'upper(CAST(x1 AS VARCHAR))', "coalesce(CAST(x1 AS VARCHAR), '?')"])
    const sums = random.pick(['SUM(s), SUM(n)', 'SUM(n)', 'SUM(n) + 1', 'SUM(s) AS a, SUM(n) / 2 AS b'])
    const outside = random.pick(['', ' WHERE x1 IS NOT NULL', ' WHERE x1 IS NULL OR x1 IS NOT NULL'])
    const flat = ` GROUP BY ${positions(keys.length)}`
    const before = text`SELECT ${outer} AS u, ${sums} FROM (`
    return {
      model: `${before.model}${inner.model}${grouped}) t${outside} GROUP BY 1`,
      flat: `${before.flat}${inner.flat}${flat}) t${outside} GROUP BY 1`,
    }
  },
  // MEASURE over a virtual dataset is the measure of its rows.
  (random) => {
    const keys = some(random, 1, 3)
    const inside = where(random)
    const shown = random.pick(['', ', "Lines"', ', "Mean", "Lines"', ', "Amount" AS a'])
    const grouped = random.chance(0.5) && shown !== '' ? ` GROUP BY ${positions(keys.length)}` : ''
    const [model, flat] = random.pick([
      ['MEASURE("Mean")', 'avg(amount)'],
      ['MEASURE("Largest")', 'max(amount)'],
      ['MEASURE("Lines")', 'count(*)'],
    ] as const)
    const outside = random.pick(['', ` WHERE x1 IS NOT NULL`])
    const of = keys[0]!
    return {
      model: `SELECT x1, ${model} AS m FROM (SELECT ${named(keys).model}${shown} FROM ledger${inside}${grouped}) t${outside} GROUP BY 1`,
      flat: `SELECT x1, m FROM (SELECT ${of} AS x1, ${flat} AS m FROM ledger${inside} GROUP BY 1) t${outside}`,
    }
  },
  // The largest groups of a field that the statement does not show.
  (random) => {
    const [a, b] = some(random, 2, 2)
    const n = random.between(1, 3)
    const inside = where(random)
    const on = random.pick(['=', 'IS NOT DISTINCT FROM'])
    const chosen = (sum: string) =>
      `(SELECT ${b} AS k, ${sum} AS s FROM ledger${inside} GROUP BY 1 ORDER BY 2 DESC NULLS LAST, 1 LIMIT ${n}) t`
    const [model, flat] = random.pick([...MEASURES, ['"Per Line"', 'sum(amount) / count(*)']] as const)
    // A condition on a measure is one of the groups that are shown.
    const [most, few] = random.chance(0.3) ? [' WHERE "Lines" > 9', ' HAVING count(*) > 9'] : ['', '']
    return {
      model: `SELECT ${a}, ${model} AS m FROM ledger JOIN ${chosen('"Lines"')} ON ${b} ${on} t.k${most} GROUP BY 1`,
      flat: `SELECT ${a}, ${flat} AS m FROM ledger JOIN ${chosen('count(*)')} ON ${b} ${on} t.k GROUP BY 1${few}`,
    }
  },
  // Level of detail, as Tableau joins a finished question to the table.
  (random) => {
    const [a, b] = some(random, 2, 2)
    const lod = (sum: string) => `(SELECT ${b} AS k, ${sum} AS s FROM ledger GROUP BY 1) t`
    const item = random.pick([
      't.s',
      'MIN(t.s)',
      'MAX(t.s)',
      'SUM(t.s)',
      'AVG(t.s)',
      'COUNT(t.s)',
      'COUNT(DISTINCT t.s)',
      'SUM(t.s + 1)',
    ])
    const keys = item === 't.s' ? '1, 3' : '1'
    const inside = where(random)
    const named = random.pick([' AS x', ''])
    return {
      model: `SELECT ${a}, SUM("Lines") AS n, ${item}${named} FROM ledger JOIN ${lod('SUM("Amount")')} ON ${b} IS NOT DISTINCT FROM t.k${inside} GROUP BY ${keys}`,
      flat: `SELECT ${a}, count(*) AS n, ${item}${named} FROM ledger JOIN ${lod('sum(amount)')} ON ${b} IS NOT DISTINCT FROM t.k${inside} GROUP BY ${keys}`,
    }
  },
]
