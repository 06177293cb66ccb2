/** The value of a union of disjoint rows is that of their values: the sum of sums, the sum of counts, the least of least. */
import t from 'tap'
import { REFOLD } from './refold.js'

type Value = number | boolean
const sum = (values: readonly Value[]): Value => values.reduce<number>((all, one) => all + Number(one), 0)
const FOLDS: Readonly<Record<string, (values: readonly Value[]) => Value>> = {
  sum,
  count: (values) => values.length,
  count_if: (values) => values.filter((one) => one === true).length,
  min: (values) => Math.min(...values.map(Number)),
  max: (values) => Math.max(...values.map(Number)),
  bool_and: (values) => values.every((one) => one === true),
  bool_or: (values) => values.some((one) => one === true),
}
const ROWS: Readonly<Record<string, readonly [Value[], Value[]]>> = {
  number: [
    [3, 1, 2],
    [5, 4],
  ],
  flag: [
    [true, true],
    [false, true],
  ],
}

for (const [name, fold] of Object.entries(FOLDS))
  t.test(`${name} of two sets of rows`, async (t) => {
    const [one, other] = ROWS[/bool|if/.test(name) ? 'flag' : 'number']!
    t.same(FOLDS[REFOLD[name]!]!([fold(one), fold(other)]), fold([...one, ...other]))
  })

t.test('any value is one of those of the parts, and no other function folds', async (t) => {
  t.equal(REFOLD['any_value'], 'min')
  t.same(Object.keys(REFOLD).sort(), [...Object.keys(FOLDS), 'any_value'].sort())
})
