import { parseExpression } from './parse-expression.js'
import type { Reader } from './reader.js'
import { type Aggregate, type Computed, METHODS, type Ordered, type Transformation } from './transformation.js'

/** The steps of `$apply`, in order. Refuses the ones that no query of a model means: `concat`, `join`, hierarchies. */
export function parseApply(reader: Reader): readonly Transformation[] {
  const steps = [...step(reader)]
  while (reader.takes('/')) steps.push(...step(reader))
  reader.end()
  return steps
}

const NAMES = ['filter', 'groupby', 'aggregate', 'compute', 'orderby', 'top', 'skip', 'topcount', 'bottomcount', 'identity']

function step(reader: Reader): readonly Transformation[] {
  const name = NAMES.find((each) => reader.peek() === each)
  if (name === undefined) return reader.refuse(`A step of $apply is one of ${NAMES.join(', ')}`, NAMES)
  reader.takes(name)
  if (name === 'identity') return []
  reader.expect('(')
  const read = readStep(name, reader)
  reader.expect(')')
  return read
}

function readStep(name: string, reader: Reader): readonly Transformation[] {
  switch (name) {
    case 'filter':
      return [{ kind: 'filter', condition: parseExpression(reader) }]
    case 'compute':
      return [{ kind: 'compute', columns: parseComputed(reader) }]
    case 'aggregate':
      return [{ kind: 'group', by: [], aggregates: aggregates(reader) }]
    case 'orderby':
      return [{ kind: 'order', order: parseOrder(reader) }]
    case 'top':
    case 'skip':
      return [{ kind: name, rows: rowsOf(reader) }]
    case 'groupby':
      return [groups(reader)]
    default:
      return extreme(name === 'topcount', reader)
  }
}

/** `topcount(n, expression)` is an order and its first rows. */
function extreme(isDescending: boolean, reader: Reader): readonly Transformation[] {
  const rows = rowsOf(reader)
  reader.expect(',')
  return [
    { kind: 'order', order: [{ expression: parseExpression(reader), isDescending }] },
    { kind: 'top', rows },
  ]
}

function groups(reader: Reader): Transformation {
  reader.expect('(')
  const by = reader.peek() === ')' ? [] : reader.list(() => reader.word('a property'))
  reader.expect(')')
  if (!reader.takes(',')) return { kind: 'group', by, aggregates: [] }
  if (!reader.takes('aggregate')) return reader.refuse('The second part of groupby is aggregate(…)')
  reader.expect('(')
  const all = aggregates(reader)
  reader.expect(')')
  return { kind: 'group', by, aggregates: all }
}

const aggregates = (reader: Reader): readonly Aggregate[] => reader.list(() => aggregate(reader))

function aggregate(reader: Reader): Aggregate {
  if (reader.takes('$count')) {
    reader.expect('as')
    return { kind: 'count', as: reader.word('a name') }
  }
  const expression = parseExpression(reader)
  const method = reader.takes('with') ? methodOf(reader) : undefined
  const own = expression.kind === 'name' ? expression.name : undefined
  const as = reader.takes('as') || own === undefined ? reader.word('a name after as') : own
  return { kind: 'of', expression, ...(method && { with: method }), as }
}

const methodOf = (reader: Reader) =>
  reader.takesOneOf(METHODS) ?? reader.refuse(`A method of aggregation is one of ${METHODS.join(', ')}`, METHODS)

/** `expression as Name`, several separated by commas. */
export function parseComputed(reader: Reader): readonly Computed[] {
  return reader.list(() => {
    const expression = parseExpression(reader)
    reader.expect('as')
    return { expression, as: reader.word('a name') }
  })
}

/** `expression [asc|desc]`, several separated by commas. */
export function parseOrder(reader: Reader): readonly Ordered[] {
  return reader.list(() => {
    const expression = parseExpression(reader)
    return { expression, isDescending: reader.takesOneOf(['asc', 'desc']) === 'desc' }
  })
}

function rowsOf(reader: Reader): number {
  const literal = reader.literal()
  if (literal?.type !== 'int' || !Number.isSafeInteger(Number(literal.value))) return reader.refuse('Expected a number of rows')
  return Number(literal.value)
}
