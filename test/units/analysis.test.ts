/**
 * Derived units against a model of dimension analysis that shares nothing with them: if every base unit is made smaller by a factor, the
 * value of a sound expression changes by the product of the factors of its unit, for all values. A refused expression does not.
 */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { randomFrom } from '../oracle/generate/random.js'
import { amount } from '../support/amount.js'
import { compileFor } from '../support/compile.js'

type Values = Readonly<Record<string, number>>
interface Made {
  readonly text: string
  readonly at: (values: Values) => number
  /** What it is made of. */
  readonly parts?: readonly Made[]
}

const UNITS = { Freight: 'EUR', Cost: 'EUR', Distance: 'km', Way: 'km', Time: 'h', Price: 'EUR/km', Speed: 'km/h' }
type Name = keyof typeof UNITS
const NAMES = Object.keys(UNITS) as Name[]
const POWERS: Readonly<Record<Name, Values>> = {
  Freight: { EUR: 1 },
  Cost: { EUR: 1 },
  Distance: { km: 1 },
  Way: { km: 1 },
  Time: { h: 1 },
  Price: { EUR: 1, km: -1 },
  Speed: { km: 1, h: -1 },
}

const modelOf = (expression: string) => ({
  dataObjects: {
    Trips: {
      code: 'trips',
      columns: {
        Count: { code: 'count', abstractType: 'float' },
        ...Object.fromEntries(
          Object.entries(UNITS).map(([name, unit]) => [name, { code: name.toLowerCase(), abstractType: 'float', unit }]),
        ),
      },
    },
  },
  measures: { Value: { aggregation: 'sum', expression } },
})

function made(next: (below: number) => number, depth: number): Made {
  const operand = (): Made => made(next, depth - 1)
  if (depth === 0 || next(8) === 0) {
    const name = NAMES[next(NAMES.length)]!
    return { text: `{[Trips].[${name}]}`, at: (values) => values[name]! }
  }
  const [a, b] = [operand(), operand()]
  const parts = [a, b].flatMap((each) => [each, ...(each.parts ?? [])])
  // Most sums are of two values of one unit.
  const like: Made = next(3) > 0 ? { text: `(${a.text} * {[Trips].[Count]})`, at: (v) => a.at(v) * v['Count']! } : b
  switch (next(8)) {
    case 0:
    case 1:
      return { text: `(${a.text} * ${b.text})`, at: (v) => a.at(v) * b.at(v), parts }
    case 2:
    case 3:
      return { text: `(${a.text} / ${b.text})`, at: (v) => a.at(v) / b.at(v), parts }
    case 4:
      return { text: `(${a.text} + ${like.text})`, at: (v) => a.at(v) + like.at(v), parts }
    case 5:
      return { text: `greatest(${a.text}, ${like.text})`, at: (v) => Math.max(a.at(v), like.at(v)), parts }
    case 6:
      return { text: `power(${a.text}, 2)`, at: (v) => a.at(v) ** 2, parts }
    default: {
      const other = operand()
      return {
        text: `case when ${a.text} > ${like.text} then ${other.text} else ${other.text} / 3 end`,
        at: (v) => (a.at(v) > like.at(v) ? other.at(v) : other.at(v) / 3),
        parts: [...parts, other, ...(other.parts ?? [])],
      }
    }
  }
}

/** The factor by which a value of a unit changes. */
const factorOf = (powers: Values, scales: Values): number =>
  Object.entries(powers).reduce((product, [unit, power]) => product * scales[unit]! ** power, 1)

/** The powers in a text such as `EUR·h/km^2`. */
const powersOf = (unit: string): Values => {
  const [above, ...below] = unit.split('/')
  const parts = [...above!.split('·').map((text) => [text, 1] as const), ...below.map((text) => [text, -1] as const)]
  return Object.fromEntries(
    parts.flatMap(([text, sign]) => {
      const [name, power = '1'] = text.split('^')
      return name === '1' || name === '' ? [] : [[name!, sign * Number(power)] as const]
    }),
  )
}

const EXPRESSIONS = amount(120, 1500)

t.test('a unit is derived if and only if an expression has one', async (t) => {
  let refused = 0
  for (let seed = 1; seed <= EXPRESSIONS; seed++) {
    const { below } = randomFrom(seed)
    const real = () => below(1_000_000) / 1_000_000
    const whole = made(below, 3)
    const { text } = whole
    const { model, errors } = parseModelSync({ json: modelOf(text) })
    const points = Array.from({ length: 60 }, () => pointOf(real))
    const changesOf = ({ at }: Made): readonly Change[] =>
      points.map(({ scales, values, scaled }) => ({ scales, change: at(scaled) / at(values) }))
    if (!model) {
      refused++
      t.same([...new Set(errors.map(({ code }) => code))], ['UNIT_MISMATCH'], `seed ${seed}: ${text}`)
      if ([whole, ...(whole.parts ?? [])].every((part) => hasUnit(changesOf(part))))
        t.fail(`seed ${seed} is refused, and each part has a unit: ${text}`)
      continue
    }
    const unit = compileFor({ select: { measures: ['Value'] } }, model).columns[0]?.unit ?? ''
    const wrong = changesOf(whole).find(({ scales, change }) => Math.abs(change / factorOf(powersOf(unit), scales) - 1) > 1e-6)
    if (wrong) t.fail(`seed ${seed} has not the unit '${unit}': ${text}`)
  }
  t.ok(refused > EXPRESSIONS / 20 && refused < EXPRESSIONS / 1.5, `${refused} of ${EXPRESSIONS} are refused`)
})

interface Change {
  readonly scales: Values
  readonly change: number
}

/** Factors of the base units, and values before and after they apply. */
function pointOf(real: () => number) {
  const anyOf = (): number => 10 ** (real() * 6 - 3)
  const scales: Values = { EUR: anyOf(), km: anyOf(), h: anyOf() }
  const values: Values = Object.fromEntries(['Count', ...NAMES].map((name) => [name, anyOf()]))
  const scaled: Values = {
    ...values,
    ...Object.fromEntries(NAMES.map((name) => [name, values[name]! * factorOf(POWERS[name], scales)])),
  }
  return { scales, values, scaled }
}

/** With a unit, each change is one product of whole powers of the factors: their exponents are found from three, and tried with all. */
function hasUnit(changes: readonly Change[]): boolean {
  const [one, two, three] = changes.map(({ scales, change }) => [...Object.values(scales).map(Math.log), Math.log(change)])
  const powers = solved([one!, two!, three!]).map(Math.round)
  const found = { EUR: powers[0]!, km: powers[1]!, h: powers[2]! }
  return (
    powers.every(Number.isFinite) && changes.every(({ scales, change }) => Math.abs(change / factorOf(found, scales) - 1) < 1e-6)
  )
}

/** Three linear equations by Cramer's rule. */
function solved(rows: readonly (readonly number[])[]): readonly number[] {
  const determinant = (m: readonly (readonly number[])[]): number =>
    m[0]![0]! * (m[1]![1]! * m[2]![2]! - m[1]![2]! * m[2]![1]!) -
    m[0]![1]! * (m[1]![0]! * m[2]![2]! - m[1]![2]! * m[2]![0]!) +
    m[0]![2]! * (m[1]![0]! * m[2]![1]! - m[1]![1]! * m[2]![0]!)
  const whole = determinant(rows)
  return [0, 1, 2].map((at) => determinant(rows.map((row) => row.slice(0, 3).map((v, i) => (i === at ? row[3]! : v)))) / whole)
}
