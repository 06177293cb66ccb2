import t from 'tap'
import { operators } from '../../model/operators.js'
import { conditionOf } from './condition.js'

const fields = ['Name', 'Tail Number'].map((name) => ({ name, kind: 'dimension' as const, type: 'string' }))

t.test('every operator that takes values, or none, is a word of the command line', (t) => {
  const values = { none: undefined, one: 'a', two: ['a', 'b'], list: ['a', 'b', 'c'] } as const
  for (const { name, symbol, takes } of operators) {
    if (takes === 'relative' || takes === 'subquery') continue
    const value = values[takes]
    for (const op of symbol === undefined ? [name] : [name, symbol]) {
      const text = ['Tail Number', op, ...(value === undefined ? [] : [[value].flat().join(',')])].join(' ')
      t.strictSame(conditionOf(text, fields), { field: 'Tail Number', op, ...(value !== undefined && { value }) }, text)
    }
  }
  t.end()
})

t.test('an operator inside of a value is a part of it', (t) => {
  t.strictSame(conditionOf('Name contains a=b', fields), { field: 'Name', op: 'contains', value: 'a=b' })
  t.strictSame(conditionOf('Name = one in two', fields), { field: 'Name', op: '=', value: 'one in two' })
  t.end()
})
