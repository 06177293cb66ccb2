import t from 'tap'
import { decimal, FLOAT, formatDataType, INT, STRING } from '../data-type.js'
import { AGGREGATION_NAMES } from '../document.js'
import { AGGREGATE_ALIASES, builtInAggregates } from './aggregates.js'
import { builtInFunctions } from './catalogue.js'

t.test('every aggregation of the format exists, under one name', async (t) => {
  for (const name of AGGREGATION_NAMES) t.ok(builtInAggregates.has(AGGREGATE_ALIASES.get(name) ?? name), name)
})

t.test('counts over no rows are zero, and every other aggregate over no rows is NULL', async (t) => {
  const zero = [...builtInAggregates.values()].filter((spec) => spec.empty === 'zero').map((spec) => spec.name)
  t.same(zero, ['count', 'count_if', 'count_distinct', 'approx_count_distinct'])
})

t.test('aggregates have the types of the documented semantics', async (t) => {
  const type = (name: string, ...args: Parameters<typeof formatDataType>) =>
    formatDataType(builtInAggregates.get(name)!.result(args))
  t.same([type('sum', INT), type('sum', decimal(10, 2)), type('sum', FLOAT)], ['decimal(38,0)', 'decimal(38,2)', 'float'])
  t.same(
    [type('avg', decimal(10, 2)), type('count', STRING), type('max', STRING), type('median', INT)],
    ['float', 'int', 'string', 'float'],
  )
})

t.test('functions have lower-case names and accept at least as many arguments as they need', async (t) => {
  for (const [name, { arity }] of builtInFunctions) t.ok(name === name.toLowerCase() && arity[0] <= arity[1], name)
  t.equal(builtInFunctions.size, 44)
})
