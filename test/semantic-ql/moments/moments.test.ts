/**
 * An expression over times has the same value inside the query of a model and in an outer statement over its rows, in every zone, also in the nights
 * on which clocks change. MOMENTS_SEED and MOMENTS_CASES choose the expressions.
 */
import { DATE, TIMESTAMP, TIMESTAMP_TZ } from '@grainline/core/vendor'
import t from 'tap'
import { type Random, randomFrom } from '../../oracle/generate/random.js'
import { amount } from '../../support/amount.js'
import { moments, NIGHTS, nameOf } from './moments.js'

t.setTimeout(600_000)

const seed = Number(process.env['MOMENTS_SEED'] ?? Date.now() % 1_000_000)
const cases = Number(process.env['MOMENTS_CASES'] ?? amount(30, 1500))
const world = await moments()
t.teardown(world.close)

const ZONES = Object.keys(NIGHTS)
const UNITS = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute']
const PARTS = ['year', 'quarter', 'month', 'day', 'hour', 'minute', 'second', 'dow', 'doy', 'week']
const TIMES = ['"At"', '"Later"', '"Wall"', '"Day"']
const OPERATORS = ['=', '<>', '<', '<=', '>', '>=']

/** A moment of the tables, or near one, as it is written without a zone or with an offset. */
function literalOf(random: Random, night: string, style = random.pick(['day', 'wall', 'wall', 'offset', 'spaced'])): string {
  const at = Date.parse(`${night.slice(0, 19).replace(' ', 'T')}Z`) + random.between(-20, 20) * 900_000
  const hours = random.between(-9, 9)
  const text = new Date(at + (style === 'wall' ? 0 : hours * 3_600_000)).toISOString().slice(0, 19).replace('T', ' ')
  if (style === 'day') return `'${text.slice(0, 10)}'`
  if (style === 'wall') return `'${text}'`
  return `'${text}${style === 'spaced' ? ' ' : ''}${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}'`
}

function timeValue(random: Random): string {
  const time = random.pick(TIMES)
  const unit = random.pick(time === '"Day"' ? UNITS.slice(0, 5) : UNITS)
  const part = random.pick(['day', 'week', 'dow', 'month'])
  return random.pick([
    `date_trunc('${unit}', ${time})`,
    `extract(${random.pick(time === '"Day"' ? PARTS.slice(0, 4) : PARTS)} FROM ${time})`,
    `CAST(${time} AS DATE)`,
    `CAST(${time} AS TIMESTAMP)`,
    `CAST(date_trunc('${unit}', ${time}) AS DATE)`,
    `extract(${part} FROM date_trunc('${unit}', ${time}))`,
    `CAST(extract(year FROM ${time}) AS BIGINT) * 100 + CAST(extract(month FROM ${time}) AS BIGINT)`,
    `CASE WHEN extract(hour FROM ${random.pick(TIMES.slice(0, 3))}) < 2 THEN 'night' ELSE 'day' END`,
    `CASE WHEN ${conditionOf(random, random.pick(Object.values(NIGHTS).flat()))} THEN 1 ELSE 0 END`,
  ])
}

function conditionOf(random: Random, night: string): string {
  const operator = random.pick(OPERATORS)
  const literal = (): string => literalOf(random, night)
  const unzoned = (): string => literalOf(random, night, random.pick(['day', 'wall']))
  return random.pick([
    () => `${random.pick(['"At"', '"Later"'])} ${operator} ${literal()}`,
    () => `"At" BETWEEN ${literal()} AND ${literal()}`,
    () => `"At" IN (${literal()}, ${literal()})`,
    () => `"At" ${operator} "Later"`,
    () => `"Wall" ${operator} ${unzoned()}`,
    () => `"Wall" IN (${unzoned()}, ${unzoned()})`,
    () => `"Wall" ${random.pick(['IS DISTINCT FROM', 'IS NOT DISTINCT FROM'])} ${unzoned()}`,
    () => `"At" ${random.pick(['IS DISTINCT FROM', 'IS NOT DISTINCT FROM'])} ${literal()}`,
    () => `${literal()} ${operator} "Later"`,
    () => `CASE "Wall" WHEN ${unzoned()} THEN 1 WHEN ${unzoned()} THEN 2 ELSE 3 END < 3`,
    () => `"At" ${operator} CAST(${unzoned()} AS TIMESTAMP)`,
    () => `"Wall" ${operator} CAST(${literalOf(random, night, 'day')} AS DATE)`,
    () => `CAST("At" AS TIMESTAMP) ${operator} ${unzoned()}`,
    () => `coalesce("Wall", "Day") ${operator} ${unzoned()}`,
    () => `"At" ${operator} "Wall"`,
    () => `date_trunc('${random.pick(UNITS)}', "At") ${operator} ${unzoned()}`,
    () => `date_trunc('${random.pick(UNITS)}', "At") BETWEEN ${unzoned()} AND ${unzoned()}`,
    () => `date_trunc('${random.pick(UNITS)}', "Later") IN (${unzoned()}, ${unzoned()})`,
    () => `"Day" ${operator} ${literalOf(random, night, 'day')}`,
    () => `CAST("At" AS DATE) ${operator} ${literalOf(random, night, 'day')}`,
    () => `nullif(${random.pick(['"At"', '"Later"'])}, ${literal()}) IS NULL`,
    () => `nullif("Wall", ${unzoned()}) IS NULL`,
    () => `"At" < now()`,
    () => `extract(hour FROM "At") ${operator} ${random.below(4)}`,
  ])()
}

/** Where the query of the model cannot have it: over rows that a LIMIT has finished. */
const outside = (zone: string): string => `(SELECT "Id", "At", "Later", "Wall", "Day" FROM ${nameOf(zone)} LIMIT 100000) AS t`

/** The same behind a name of WITH that is read twice, so that it is not written in its place. */
const inWith = (zone: string): string =>
  `(WITH w AS (SELECT "Id" AS i, "At", "Later", "Wall", "Day" FROM ${nameOf(zone)} LIMIT 100000)
    SELECT w.i AS "Id", w."At", w."Later", x."Wall", x."Day" FROM w JOIN w AS x ON w.i = x.i) AS t`

/** A condition on a period, and on the same period as a column of a subselect. */
function onColumn(random: Random): { readonly inside: string; readonly outside: string } {
  const zone = random.pick(ZONES)
  const time = random.pick(TIMES.slice(0, 3))
  const period = `date_trunc('${random.pick(UNITS)}', ${time})`
  const tested = `${random.pick(OPERATORS)} ${literalOf(random, random.pick(NIGHTS[zone]!), random.pick(['day', 'wall']))}`
  const from = random.pick([nameOf, outside, inWith])(zone)
  return {
    inside: `SELECT "Id" FROM ${nameOf(zone)} WHERE ${period} ${tested}`,
    outside: `SELECT s."Id" FROM (SELECT "Id", ${period} AS d FROM ${from} LIMIT 100000) AS s WHERE s.d ${tested}`,
  }
}

function statements(random: Random): { readonly inside: string; readonly outside: string } {
  if (random.chance(0.2)) return onColumn(random)
  const zone = random.pick(ZONES)
  const night = random.pick(NIGHTS[zone]!)
  const asked = random.pick([
    () => {
      const value = timeValue(random)
      return (from: string) => `SELECT "Id", ${value} AS v FROM ${from}`
    },
    () => {
      const value = timeValue(random)
      return (from: string, count: string) => `SELECT ${value} AS v, ${count} AS n FROM ${from} GROUP BY 1`
    },
    () => {
      const condition = conditionOf(random, night)
      return (from: string) => `SELECT "Id" FROM ${from} WHERE ${condition}`
    },
  ])()
  const rows = random.pick([outside, inWith])(zone)
  return { inside: asked(nameOf(zone), '"Moments"'), outside: asked(rows, 'COUNT(*)') }
}

const sorted = async (sql: string): Promise<readonly string[] | Error> => {
  try {
    return (await world.ask(sql)).toSorted()
  } catch (error) {
    return error as Error
  }
}

t.test(`${cases} expressions of seed ${seed} inside and outside of the query of a model`, async (t) => {
  for (let i = 0; i < cases; i++) {
    const asked = statements(randomFrom(Math.imul(seed, 0x85ebca6b) + Math.imul(i + 1, 0xc2b2ae35)))
    const [inside, outside] = [await sorted(asked.inside), await sorted(asked.outside)]
    if (inside instanceof Error || outside instanceof Error)
      t.fail(`${i}: ${asked.inside}: ${String(inside)}; ${asked.outside}: ${String(outside)}`)
    else if (inside.join() !== outside.join()) t.same(outside, inside, `${i}: ${asked.outside}`)
  }
})

t.test('instants of models with different zones are refused, and their local times are answered', async (t) => {
  const both = (value: string): string =>
    `SELECT v, COUNT(*) FROM (SELECT ${value} AS v FROM asia_kolkata UNION ALL SELECT ${value} FROM utc) AS t GROUP BY 1`
  await t.rejects(world.ask(both('"At"')), {
    code: 'UNSUPPORTED_SQL_FEATURE',
    message: /different time zones: 'asia_kolkata' \(Asia\/Kolkata\) and 'utc' \(UTC\)/,
  })
  t.ok((await world.ask(both('CAST("At" AS TIMESTAMP)'))).length > 0)
})

t.test('weeks of an outer statement begin where those of its models begin', async (t) => {
  const weeks = (...models: string[]): string =>
    `SELECT DISTINCT date_trunc('week', "Day") AS w FROM (${models
      .map((model) => `(SELECT "Day" FROM ${model} WHERE "Day" = '2024-03-10' LIMIT 9)`)
      .join(' UNION ALL ')}) AS t`
  t.same(await world.ask(weeks('utc')), ['2024-03-10'], 'Sunday')
  t.same(await world.ask(weeks('america_new_york')), ['2024-03-04'], 'Monday')
  await t.rejects(world.ask(weeks('utc', 'america_new_york')), {
    code: 'UNSUPPORTED_SQL_FEATURE',
    message: /begin on different days: 'utc' \(sunday\) and 'america_new_york' \(monday\)/,
  })
  const advised = (model: string): string =>
    `(SELECT date_trunc('week', "Day") AS w FROM ${model} WHERE "Day" = '2024-03-10' LIMIT 9)`
  t.same(
    (await world.ask(`SELECT DISTINCT w FROM (${advised('utc')} UNION ALL ${advised('america_new_york')}) AS t`)).toSorted(),
    ['2024-03-04', '2024-03-10'],
    'the advice, applied',
  )
  t.same(await world.ask(weeks('utc', 'america_new_york').replace('week', 'month')), ['2024-03-01'])
  const named = `WITH america_new_york AS (SELECT "Day" FROM utc WHERE "Day" = '2024-03-10' LIMIT 9)
      SELECT DISTINCT date_trunc('week', "Day") AS w FROM america_new_york`
  t.same(await world.ask(named), ['2024-03-10'], 'a name of WITH that is also that of another model')
})

t.test('a period beside a text is what the clocks showed, also for a time that occurs twice or never', async (t) => {
  const kept = (zone: string, period: string, tested: string): Promise<readonly string[]> =>
    world.ask(`SELECT s."Id" FROM (SELECT "Id", ${period} AS d FROM ${outside(zone)} LIMIT 100000) AS s
      WHERE s.d ${tested} AND s."Id" BETWEEN 111 AND 114 OR s.d ${tested} AND s."Id" BETWEEN 187 AND 191 ORDER BY 1`)
  // 111 to 114 are 1:30, 1:45, 3:00 and 3:15 in Berlin; 187 to 191 are 23:58, 0:20, 0:42, and again 0:04 and 0:26 in Havana.
  t.same(await kept('Europe/Berlin', `date_trunc('minute', "At")`, `BETWEEN '2024-03-31 02:45:00' AND '2024-03-31 03:10:00'`), [
    '113',
  ])
  t.same(
    await kept('America/Havana', `date_trunc('minute', "Later")`, `BETWEEN '2024-11-03 00:30:00' AND '2024-11-03 00:50:00'`),
    ['189'],
  )
  t.same(await kept('America/Havana', `date_trunc('day', "Later")`, `IN ('2024-03-10 00:15:00')`), [])
})

t.test(
  'an instant beside a written time is compared as an instant in every place, also in an hour that occurs twice',
  async (t) => {
    // 189 to 197 are 0:45 or 1:15 to 2:15 in New York, 1:00 to 1:45 twice.
    const kept = async (from: string, condition: string): Promise<string> =>
      (
        await world.ask(
          `SELECT "Id", CASE WHEN ${condition} THEN 1 ELSE 0 END AS v FROM ${from} WHERE "Id" BETWEEN 189 AND 197 ORDER BY 1`,
        )
      )
        .map((row) => row.at(-1))
        .join('')
    for (const [condition, expected] of [
      [`"At" = '2024-11-03 01:45:00'`, '001000000'],
      [`"At" <= '2024-11-03 01:45:00'`, '111000000'],
      [`"At" IN ('2024-11-03 01:45:00', '2024-11-03 02:00:00')`, '001000010'],
      [`"At" IN ('2024-11-03 07:45:00 +02', '2024-11-03 04:00:00 -03')`, '001000010'],
      [`"At" = '2024-11-03 06:45:00+00'`, '000000100'],
      [`"At" > '2024-11-03 06:20:00+00'`, '000001111'],
      [`"At" = CAST('2024-11-03 06:45:00+00' AS TIMESTAMPTZ)`, '000000100'],
      [`nullif("At", '2024-11-03 01:45:00') IS NULL`, '001000000'],
    ] as const)
      for (const from of ['america_new_york', outside('America/New_York')])
        t.equal(await kept(from, condition), expected, `${condition} ${from}`)
  },
)

t.test('a day is what the clocks showed, also where they are set back over midnight', async (t) => {
  const days = (condition: (day: string) => string, from: string): Promise<readonly string[]> =>
    world.ask(`SELECT "Id" FROM ${from} WHERE ${condition('2010-11-07')} ORDER BY 1`)
  for (const from of ['america_st_johns', outside('America/St_Johns')]) {
    const shown = await days((day) => `date_trunc('day', CAST("At" AS TIMESTAMP)) = '${day}'`, from)
    t.ok(shown.length > 5)
    for (const condition of [
      (day: string) => `"At" = '${day}'`,
      (day: string) => `"At" BETWEEN '${day}' AND '${day}'`,
      (day: string) => `"At" IN ('${day}', '1999-01-01')`,
      (day: string) => `CASE WHEN "At" = '${day}' THEN 1 ELSE 0 END = 1`,
    ])
      t.same(await days(condition, from), shown, `${condition('day')} ${from}`)
  }
})

t.test('a period of a date is a date', async (t) => {
  const of = (value: string): string =>
    `SELECT DISTINCT date_trunc('month', ${value}) AS m FROM (SELECT "Day", "Wall" FROM utc WHERE "Day" = '2024-03-10' LIMIT 99) AS t`
  for (const value of [
    '"Day"',
    'coalesce("Day", NULL)',
    'CASE WHEN "Day" IS NULL THEN NULL ELSE "Day" END',
    'CAST("Wall" AS DATE)',
  ])
    t.same(await world.ask(of(value)), ['2024-03-01'], value)
  for (const value of ['"Wall"', 'coalesce("Day", "Wall")', `"Day" + INTERVAL '3 hours'`])
    t.same(await world.ask(of(value)), ['2024-03-01T00:00:00'], value)
})

t.test('now() is the local time of the zone outside, too, and a parameter that is an instant keeps its moment', async (t) => {
  const hour = 'CAST(extract(hour FROM now()) AS BIGINT)'
  for (const zone of ['asia_kolkata', 'america_new_york']) {
    const both = await world.ask(`SELECT t.h, ${hour} AS o FROM (SELECT "Id", ${hour} AS h, "At" FROM ${zone} LIMIT 1) AS t`)
    t.match(both[0], /^(\d+) \| \1$/, zone)
  }
  const counted = (from: string, count: string): string => `SELECT ${count} AS n FROM ${from} WHERE "At" <= $1`
  for (const parameter of [
    { value: '2024-11-03 01:30:00-05', type: TIMESTAMP_TZ },
    { value: '2024-11-03 01:30:00', type: TIMESTAMP },
    { value: '2024-11-03 01:30:00 -05' },
    { value: '2024-11-03' },
    { value: '2024-11-03', type: DATE },
  ])
    t.same(
      await world.ask(counted(outside('America/New_York'), 'COUNT(*)'), [parameter]),
      await world.ask(counted('america_new_york', '"Moments"'), [parameter]),
      parameter.value,
    )
})
