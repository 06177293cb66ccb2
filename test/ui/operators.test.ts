/** Every comparison that the page offers for a type is valid in a query. */
import { OPERATORS, parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { familyOf, findOperator, operatorsFor, type Takes } from '../../plugins/surface-ui/web/src/query/operators.js'
import { compileFor } from '../support/compile.js'

const TYPES = {
  string: 'lg',
  json: '{}',
  int: 7,
  float: 1.5,
  boolean: true,
  date: '2024-02-29',
  time: '12:30',
  timestamp: '2024-02-29T12:30',
  timestamp_tz: '2024-02-29T12:30',
}
const columns = Object.keys(TYPES).map((type) => `      ${type}: { code: ${type}, abstractType: ${type} }`)
const dimensions = Object.keys(TYPES).map((type) => `  ${type}: { dataObject: Rows, column: ${type} }`)
const text = `name: kinds
dataObjects:
  Rows:
    code: rows
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
${columns.join('\n')}
dimensions:
${dimensions.join('\n')}
`

/** As the controls of the page write it. */
const valueFor = (takes: Takes, one: unknown): object => {
  if (takes === 'none') return {}
  if (takes === 'relative') return { value: { unit: 'month', count: 3, direction: 'past', include_current: true } }
  return { value: takes === 'list' ? [one] : takes === 'two' ? [one, one] : one }
}

t.test('comparisons by type', async (t) => {
  const { model, errors } = parseModelSync({ text })
  if (model === undefined) throw new Error(JSON.stringify(errors))
  for (const [field, one] of Object.entries(TYPES))
    for (const { op, takes } of operatorsFor(familyOf(field))) {
      const query = { select: { dimensions: ['int'] }, where: [{ field, op, ...valueFor(takes, one) }] }
      t.doesNotThrow(() => compileFor(query, model), `${field} ${op}`)
    }
})

t.test('an operator that the page offers to keep empty values takes them', async (t) => {
  const { model } = parseModelSync({ text })
  const kept = operatorsFor('text').filter(({ canKeepMissing }) => canKeepMissing)
  t.same(
    kept.map(({ op }) => op),
    ['not_in', 'not_contains'],
  )
  for (const { op, takes } of Object.keys(OPERATORS)
    .map(findOperator)
    .filter(({ canKeepMissing }) => canKeepMissing)) {
    const where = [{ field: 'string', op, ...valueFor(takes, 'lg'), or_missing: true }]
    t.doesNotThrow(() => compileFor({ select: { dimensions: ['int'] }, where }, model!), op)
  }
})

t.test('a query of another client may have any operator in any spelling', async (t) => {
  for (const [name, { spellings, takes }] of Object.entries(OPERATORS))
    for (const spelling of spellings) {
      t.match(findOperator(spelling), { op: name, takes }, spelling)
      t.equal(
        operatorsFor('text', name).filter(({ op }) => op === name).length,
        1,
        `${name} is offered once where a query has it`,
      )
    }
})
