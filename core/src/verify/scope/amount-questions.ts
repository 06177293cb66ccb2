/** Questions about amounts: with and without tax, in several currencies, in cents, and beside totals of the same money. */
import { FLOAT, INT, isNumeric } from '../../model/data-type.js'
import type { ColumnRef, Expr } from '../../model/expression/ast.js'
import { equalColumns } from '../../model/join-term.js'
import { binary, call, integer } from '../../resolve/expressions.js'
import type { SqlExpr } from '../../sql/statement.js'
import { numberAt } from '../run-statement.js'
import { aggregate, item, sumWhere } from '../sql-parts.js'
import type { VerifyContext } from '../verify-context.js'
import { askOverGroups, askTotals, type Reads } from './ask-rows.js'
import { type ColumnFacts, type ObjectFacts, refOf } from './object-facts.js'
import { valuesOf } from './row-questions.js'
import type { ScopeQuestion } from './scope-question.js'
import { counted, percent } from './shares.js'

/** Pairs of amounts of one table that are compared. */
const MOST_PAIRS = 15
/** Taxes on sales are lower than this, and a table has few of them. */
const HIGHEST_TAX = 1.3
const MOST_RATES = 6
/** Rows that agree, as a part of all, of what is no accident. */
const NEARLY_ALL = 0.95

const isMoney = ({ type, distinct }: ColumnFacts): boolean => isNumeric(type) && type.kind !== 'int' && distinct > 3
const asFloat = (operand: Expr<ColumnRef>): Expr<ColumnRef> => ({ kind: 'cast', operand, type: FLOAT })
const at = (reads: Reads, name: string): SqlExpr => reads[name] ?? integer(0)

export async function amountQuestions(
  facts: ObjectFacts,
  all: readonly ObjectFacts[],
  context: VerifyContext,
): Promise<readonly ScopeQuestion[]> {
  if (facts.rows < 5) return []
  return [
    ...(await taxQuestions(facts, context)),
    ...(await currencyQuestions(facts, context)),
    ...minorUnitQuestions(facts),
    ...(await headerQuestions(facts, all, context)),
  ]
}

/** One amount is the other with a part added that has few different rates: 1.07, 1.19. */
async function taxQuestions(facts: ObjectFacts, context: VerifyContext): Promise<readonly ScopeQuestion[]> {
  const { object } = facts
  const money = facts.columns.filter((column) => isMoney(column) && !object.key.includes(column.name))
  const pairs = money
    .flatMap((a) => money.flatMap((b) => (a !== b && Number(a.max) > Number(b.max) ? [[a, b] as const] : [])))
    .slice(0, MOST_PAIRS)
  for (const [gross, net] of pairs) {
    const [large, small] = [asFloat(refOf(object.name, gross.name)), asFloat(refOf(object.name, net.name))]
    const rate = call<ColumnRef>('round', binary('/', large, call('nullif', small, asFloat(integer(0)))), integer(2))
    const row = await askTotals(
      { object: object.name, wanted: { rate } },
      ({ rate: read = integer(0) }) => [
        item('rates', { ...aggregate('count_distinct', [read], INT), distinct: true }, INT),
        item(
          'within',
          sumWhere(integer(1), [
            binary('>=', read, integer(1)),
            binary('<', read, { kind: 'literal', value: HIGHEST_TAX, type: FLOAT }),
          ]),
          INT,
        ),
        item('added', sumWhere(integer(1), [binary('>', read, integer(1))]), INT),
        item('compared', aggregate('count', [read], INT), INT),
      ],
      context,
    )
    const [compared, rates] = [numberAt(row, 'compared'), numberAt(row, 'rates')]
    const isTax =
      compared >= 5 && rates <= MOST_RATES && numberAt(row, 'within') === compared && numberAt(row, 'added') >= compared * 0.5
    if (!isTax) continue
    return [
      {
        kind: 'tax',
        question: `Is '${gross.name}' or '${net.name}' of '${object.name}' the amount, as one seems to be the other with tax?`,
        path: `dataObjects.${object.name}`,
        evidence: `'${gross.name}' is '${net.name}' times one of ${rates} rates on each of ${counted(compared)} rows`,
        settle: `measures:\n  Net Amount: { aggregation: sum, columns: [{ dataObject: ${object.name}, column: ${net.name} }], description: without tax }`,
      },
    ]
  }
  return []
}

/** Codes of currencies beside an amount. */
async function currencyQuestions(facts: ObjectFacts, context: VerifyContext): Promise<readonly ScopeQuestion[]> {
  const { object } = facts
  if (!facts.columns.some((column) => isNumeric(column.type) && !object.key.includes(column.name))) return []
  for (const column of facts.columns) {
    if (column.type.kind !== 'string' || column.distinct < 2 || column.distinct > 40 || String(column.min).trim().length !== 3)
      continue
    const values = (await valuesOf(facts, column.name, context)).map((value) => value.trim().toUpperCase())
    if (!values.every((value) => CURRENCIES.has(value)) || !values.some((value) => COMMON.has(value))) continue
    return [
      {
        kind: 'currencies',
        question: `In which currency are the amounts of '${object.name}', as '${column.name}' has several?`,
        path: `dataObjects.${object.name}`,
        evidence: `${column.distinct} currencies on ${counted(column.present)} rows: ${values.slice(0, 8).join(', ')}; sums over them add different money`,
        settle: `filters:\n  - { dataObject: ${object.name}, column: ${column.name}, operator: equals, value: ${values[0]} }`,
      },
    ]
  }
  return []
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))
const COMMON = new Set('USD EUR GBP JPY CHF CAD AUD CNY SEK NOK DKK PLN CZK HUF INR BRL MXN ZAR'.split(' '))

/** Whole numbers of which most end like prices: 499, 1250. */
function minorUnitQuestions({ object, rows, columns }: ObjectFacts): readonly ScopeQuestion[] {
  const referring = new Set([...object.key, ...object.joins.flatMap(({ on }) => equalColumns(on).columnsFrom)])
  return columns
    .filter(({ type, name }) => type.kind === 'int' && !referring.has(name))
    .filter(({ name, present, priced, whole, charmed, distinct, max, min }) => {
      const isNamed = /cents?\b|minor|pence|pfennig|centimes|öre/i.test(name)
      const looksSo =
        present >= 20 &&
        distinct > 8 &&
        priced >= present * 0.75 &&
        whole <= present * 0.9 &&
        // Weights in steps of 50 end so, too.
        charmed >= present * 0.1 &&
        Number(max) >= 500 &&
        Number(min) >= 0
      return present > 0 && (isNamed || looksSo)
    })
    .map(({ name, present, priced }) => ({
      kind: 'minor-units',
      question: `Is '${name}' of '${object.name}' in cents?`,
      path: `dataObjects.${object.name}.columns.${name}`,
      evidence: `${percent(priced / Math.max(1, present))} of ${counted(rows)} values end in 00, 49, 50, 90, 95 or 99`,
      settle: `measures:\n  ${name} in Units: { aggregation: sum, expression: '{[${object.name}].[${name}]} / 100.0' }`,
    }))
}

/** The sum of the lines of a header is an amount of the header: a sum of both counts the money twice. */
async function headerQuestions(
  facts: ObjectFacts,
  all: readonly ObjectFacts[],
  context: VerifyContext,
): Promise<readonly ScopeQuestion[]> {
  for (const join of facts.object.joins) {
    const header = all.find(({ object }) => object.name === join.to)
    const { columnsFrom } = equalColumns(join.on)
    if (
      header === undefined ||
      join.secondary ||
      join.cardinality !== 'many-to-one' ||
      header.rows * 1.2 > facts.rows ||
      header.rows < 5
    )
      continue
    const totals = header.columns.filter((column) => isMoney(column) && column.distinct > header.rows * 0.05)
    for (const total of totals) {
      for (const { says, value } of lineAmounts(facts)) {
        const keys = Object.fromEntries(columnsFrom.map((name, i) => [`k${i}`, refOf(facts.object.name, name)]))
        const row = await askOverGroups(
          {
            object: facts.object.name,
            wanted: { ...keys, line: asFloat(value), total: asFloat(refOf(header.object.name, total.name)) },
            keys: Object.keys(keys),
          },
          {
            inner: (reads) => [
              item('lines', aggregate('sum', [at(reads, 'line')], FLOAT), FLOAT),
              item('total', aggregate('max', [at(reads, 'total')], FLOAT), FLOAT),
            ],
            outer: ({ lines = integer(0), total: read = integer(0) }) => [
              item('headers', aggregate('count', [read], INT), INT),
              item(
                'alike',
                sumWhere(integer(1), [
                  binary('<', call('abs', binary('-', lines, read)), { kind: 'literal', value: 0.005, type: FLOAT }),
                ]),
                INT,
              ),
            ],
          },
          context,
        )
        const headers = numberAt(row, 'headers')
        if (headers < 5 || numberAt(row, 'alike') < headers * NEARLY_ALL) continue
        return [
          {
            kind: 'header-totals',
            question: `Is '${total.name}' of '${header.object.name}' or ${says} of '${facts.object.name}' the amount, as both are the same money?`,
            path: `dataObjects.${header.object.name}`,
            evidence: `the lines add up to the total of ${counted(numberAt(row, 'alike'))} of ${counted(headers)} headers; whoever adds both counts it twice`,
            settle: `measures:\n  # keep one of the two, and hide or delete the other\n  Amount: { aggregation: sum, columns: [{ dataObject: ${header.object.name}, column: ${total.name} }] }`,
          },
        ]
      }
    }
  }
  return []
}

/** The amounts of lines: columns, and products of a column and a count. */
function lineAmounts({ object, columns }: ObjectFacts): readonly { readonly says: string; readonly value: Expr<ColumnRef> }[] {
  const referring = new Set([...object.key, ...object.joins.flatMap(({ on }) => equalColumns(on).columnsFrom)])
  const money = columns.filter((column) => isNumeric(column.type) && column.type.kind !== 'int' && !referring.has(column.name))
  const counts = columns.filter(
    ({ type, name, min, max }) => isNumeric(type) && !referring.has(name) && Number(min) >= 0 && Number(max) <= 10_000,
  )
  const single = money.map(({ name }) => ({ says: `'${name}'`, value: refOf(object.name, name) }))
  const products = money.flatMap((price) =>
    counts
      .filter((count) => count !== price && count.type.kind === 'int')
      .map((count) => ({
        says: `'${price.name}' times '${count.name}'`,
        value: binary<ColumnRef>('*', refOf(object.name, price.name), refOf(object.name, count.name)),
      })),
  )
  return [...single, ...products].slice(0, 6)
}
