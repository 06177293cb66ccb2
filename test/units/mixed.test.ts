/**
 * MIXED_UNITS is raised exactly when two different units could be added: for generated questions, the rows of generated tables are joined,
 * filtered and grouped here, and the values of the unit column in each group are counted.
 */
import t from 'tap'
import { type Random, randomFrom } from '../oracle/generate/random.js'
import { amount } from '../support/amount.js'
import { compileFor, loadText } from '../support/compile.js'

/** Whether every code of an order is in the list of currencies, and whether orders with another one are dropped. */
interface Variant {
  readonly foreignKey: boolean
  readonly required: boolean
}

const modelOf = ({ foreignKey, required }: Variant) =>
  loadText(`
version: 1
dataObjects:
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Account Id: { code: account_id, abstractType: int }
      Channel: { code: channel, abstractType: string }
      Currency: { code: currency, abstractType: string }
      Amount: { code: amount, abstractType: float, unit: { column: Currency } }
      Charged: { code: charged, abstractType: float, unit: '{[Accounts].[Currency]}' }
    joins:
      - { joinType: many-to-one, joinTo: Accounts, columnsFrom: [Account Id], columnsTo: [Id] }
      - { joinType: many-to-one, joinTo: Codes, columnsFrom: [Currency], columnsTo: [Code], foreignKey: ${foreignKey}, required: ${required} }
  Accounts:
    code: accounts
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Region: { code: region, abstractType: string }
      Currency: { code: currency, abstractType: string }
      Limit: { code: credit_limit, abstractType: float, unit: { column: Currency } }
  Codes:
    code: codes
    columns:
      Code: { code: code, abstractType: string, primaryKey: true }
      Name: { code: name, abstractType: string }
dimensions:
  Order: { dataObject: Orders, column: Id }
  Channel: { dataObject: Orders, column: Channel }
  Order Currency: { dataObject: Orders, column: Currency }
  Account: { dataObject: Accounts, column: Id }
  Region: { dataObject: Accounts, column: Region }
  Account Currency: { dataObject: Accounts, column: Currency }
  Code: { dataObject: Codes, column: Code }
  Name: { dataObject: Codes, column: Name }
measures:
  Amount: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }
  Average: { aggregation: avg, columns: [{ dataObject: Orders, column: Amount }] }
  Charged: { aggregation: sum, columns: [{ dataObject: Orders, column: Charged }] }
  Limits: { aggregation: sum, columns: [{ dataObject: Accounts, column: Limit }] }
  Shop Amount: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], filters: [{ field: Orders.Channel, op: eq, value: shop }] }
  Euros: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], filters: [{ field: Orders.Currency, op: eq, value: EUR }] }
  Total: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], total: true }
  Without Order: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], grain: { mode: RELATIVE, exclude: [Order] } }
  Everywhere: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], filterContext: { mode: RELATIVE, exclude: [Order Currency] } }
`)

type Row = Readonly<Record<string, string | number | null>>
interface Measure {
  readonly of: 'orders' | 'accounts'
  readonly unit: string
  readonly only?: (row: Row) => boolean
  readonly without?: readonly string[]
  readonly blind?: string
}
const MEASURES: Readonly<Record<string, Measure>> = {
  Amount: { of: 'orders', unit: 'Order Currency' },
  Average: { of: 'orders', unit: 'Order Currency' },
  Charged: { of: 'orders', unit: 'Account Currency' },
  Limits: { of: 'accounts', unit: 'Account Currency' },
  'Shop Amount': { of: 'orders', unit: 'Order Currency', only: (row) => row['Channel'] === 'shop' },
  Euros: { of: 'orders', unit: 'Order Currency', only: (row) => row['Order Currency'] === 'EUR' },
  Total: {
    of: 'orders',
    unit: 'Order Currency',
    without: ['Order', 'Channel', 'Order Currency', 'Account', 'Region', 'Account Currency', 'Code', 'Name'],
  },
  'Without Order': { of: 'orders', unit: 'Order Currency', without: ['Order'] },
  Everywhere: { of: 'orders', unit: 'Order Currency', blind: 'Order Currency' },
}
const OF_ACCOUNTS = ['Account', 'Region', 'Account Currency']
const OF_ORDERS = ['Order', 'Channel', 'Order Currency', ...OF_ACCOUNTS, 'Code', 'Name']
const CODES = ['EUR', 'USD', 'GBP', 'CHF', 'JPY', 'SEK']

/** Rows of the base with what they reach; `Code` and `Name` are NULL without a match. */
function rowsOf(
  { below, chance, pick, some }: Random,
  { foreignKey, required }: Variant,
): Readonly<Record<Measure['of'], readonly Row[]>> {
  const maybe = <T>(value: T): T | null => (chance(0.1) ? null : value)
  const accounts = Array.from(
    { length: 14 },
    (_, i): Row => ({ Account: i, Region: maybe(pick(['north', 'south'])), 'Account Currency': maybe(pick(CODES)) }),
  )
  const listed = foreignKey ? CODES : some(CODES, 4)
  const names = Object.fromEntries(listed.map((code) => [code, pick(['a', 'b'])]))
  const orders = Array.from({ length: 400 }, (_, i): Row => {
    const account = chance(0.1) ? undefined : accounts[below(accounts.length)]
    const currency = maybe(pick(CODES))
    const isListed = currency !== null && listed.includes(currency)
    return {
      ...{ Order: i, Channel: maybe(pick(['shop', 'web'])), 'Order Currency': currency },
      ...(account ?? { Account: null, Region: null, 'Account Currency': null }),
      ...{ Code: isListed ? currency : null, Name: isListed ? names[currency]! : null },
    }
  })
  return { accounts, orders: required ? orders.filter(({ Code }) => Code !== null) : orders }
}

interface Condition {
  readonly json: object
  readonly fields: readonly string[]
  readonly holds: (row: Row) => boolean
  /** Of an AND. */
  readonly parts?: readonly Condition[]
}

function condition(random: Random, fields: readonly string[], isInner = false): Condition {
  const { pick, some, chance, below } = random
  const field = pick(fields)
  const values: readonly (string | number)[] =
    field === 'Account' || field === 'Order'
      ? [1, 2, 3]
      : field === 'Region'
        ? ['north', 'south']
        : field === 'Channel'
          ? ['shop', 'web']
          : field === 'Name'
            ? ['a', 'b']
            : CODES
  const leaf = (op: string, value: unknown, holds: Condition['holds']): Condition => ({
    json: { field, op, ...(value !== undefined && { value }) },
    fields: [field],
    holds,
  })
  const one = pick(values)
  const several = some(values, 1 + below(2))
  // What contradicts the rest of a group is not followed, so groups have no negative conditions.
  switch (isInner ? 4 + below(2) : below(6)) {
    case 0:
      // That no code is found means that there is none, which is not followed.
      if (field === 'Name') return leaf('eq', one, (row) => row[field] === one)
      return leaf('is_null', undefined, (row) => row[field] === null)
    case 1:
      return leaf('in', several, (row) => several.includes(row[field] as never))
    case 2:
      return leaf('neq', one, (row) => row[field] !== null && row[field] !== one)
    case 3: {
      const parts = [condition(random, [field], true), condition(random, chance(0.5) ? [field] : fields, true)]
      const logic = pick(['and', 'or'] as const)
      return {
        json: { logic, filters: parts.map(({ json }) => json) },
        fields: parts.flatMap((part) => part.fields),
        ...(logic === 'and' && { parts: parts.flatMap((part) => part.parts ?? [part]) }),
        holds: (row) => (logic === 'and' ? parts.every(({ holds }) => holds(row)) : parts.some(({ holds }) => holds(row))),
      }
    }
    case 4:
      return leaf('in', several, (row) => several.includes(row[field]!))
    default:
      return leaf('eq', one, (row) => row[field] === one)
  }
}

/** The most units that meet in a group of some data. */
function unitsMet(measure: Measure, rows: readonly Row[], by: readonly string[], where: readonly Condition[]): number {
  const seen = where.filter(({ fields }) => measure.blind === undefined || !fields.includes(measure.blind))
  const left = rows.filter((row) => (measure.only?.(row) ?? true) && seen.every(({ holds }) => holds(row)))
  const groups = new Map<string, Set<unknown>>()
  for (const row of left) {
    const key = JSON.stringify(by.filter((name) => !measure.without?.includes(name)).map((name) => row[name]))
    groups.set(key, (groups.get(key) ?? new Set()).add(row[measure.unit]))
  }
  return Math.max(0, ...[...groups.values()].map((units) => units.size))
}

const QUESTIONS = amount(250, 4000)

t.test('a warning if and only if rows of several units are in one group', async (t) => {
  const variants = [
    { foreignKey: false, required: false },
    { foreignKey: true, required: false },
    { foreignKey: false, required: true },
  ]
  const models = variants.map(modelOf)
  const data = variants.map((variant) => Array.from({ length: 20 }, (_, seed) => rowsOf(randomFrom(seed), variant)))
  let warned = 0
  for (let seed = 1; seed <= QUESTIONS; seed++) {
    const random = randomFrom(seed)
    const at = random.below(variants.length)
    const name = random.pick(Object.keys(MEASURES))
    const measure = MEASURES[name]!
    const fields = measure.of === 'orders' ? OF_ORDERS : OF_ACCOUNTS
    const by = random.some(fields, random.below(4))
    const where = Array.from({ length: random.below(3) }, () => condition(random, fields))
    const query = { select: { dimensions: by, measures: [name] }, where: where.map(({ json }) => json) }
    const { warnings } = compileFor(query, models[at]!)
    const isWarned = warnings.some(({ code }) => code === 'MIXED_UNITS')
    if (isWarned) warned++
    // Conditions on top-level parts of an AND are separate conjuncts, of which a measure sees each or not.
    const conjuncts = where.flatMap(({ parts = [], ...each }) => (parts.length > 0 ? parts : [each]))
    const found = data[at]!.map((tables) => unitsMet(measure, tables[measure.of], by, conjuncts))
    // Conditions that contradict each other leave no row.
    if (Math.max(...found) === 0) continue
    const isMixed = Math.max(...found) > 1
    if (isWarned !== isMixed)
      t.fail(`seed ${seed}: ${isWarned ? 'a warning, but one unit' : 'no warning'} ${JSON.stringify([variants[at], query])}`)
  }
  t.ok(warned > QUESTIONS / 5 && warned < (QUESTIONS * 4) / 5, `${warned} of ${QUESTIONS} have a warning`)
})
