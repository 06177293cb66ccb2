/** Joins that a filter makes inner come before outer joins: engines reorder inner joins, and rarely move one past an outer join. */
import { builtInAggregates, builtInFunctions, compile, parseQuery } from '@grainline/core'
import { parseModelSync } from '@grainline/core/unstable'
import { duckdb } from '@grainline/dialect-duckdb'
import t from 'tap'

const to = (joinTo: string, column: string) => ({ joinType: 'many-to-one', joinTo, columnsFrom: [column], columnsTo: ['Id'] })
const id = { Id: { code: 'id', abstractType: 'int', primaryKey: true } }
const name = { Name: { code: 'name', abstractType: 'string' } }
const int = (code: string) => ({ code, abstractType: 'int' })
const { model } = parseModelSync({
  json: {
    version: 1,
    dataObjects: {
      Sales: {
        code: 'sales',
        columns: { ...id, Shop: int('shop'), Ware: int('ware'), Paid: { code: 'paid', abstractType: 'float' } },
        joins: [to('Shops', 'Shop'), to('Wares', 'Ware')],
      },
      Shops: { code: 'shops', columns: { ...id, ...name, Town: int('town') }, joins: [to('Towns', 'Town')] },
      Towns: { code: 'towns', columns: { ...id, ...name } },
      Wares: { code: 'wares', columns: { ...id, ...name, Kind: int('kind') }, joins: [to('Kinds', 'Kind')] },
      Kinds: { code: 'kinds', columns: { ...id, ...name } },
    },
    dimensions: {
      Shop: { dataObject: 'Shops', column: 'Name' },
      Town: { dataObject: 'Towns', column: 'Name' },
      Ware: { dataObject: 'Wares', column: 'Name' },
      Kind: { dataObject: 'Kinds', column: 'Name' },
    },
    measures: { Paid: { columns: [{ dataObject: 'Sales', column: 'Paid' }], aggregation: 'sum' } },
  },
})
const context = {
  dialect: duckdb,
  functions: builtInFunctions,
  aggregates: builtInAggregates,
  now: new Date(0),
  storedTypes: 'declared',
} as const
const joins = (dimensions: string[], where: unknown[]): string[] => {
  const query = parseQuery({ select: { dimensions, measures: ['Paid'] }, where })
  return [...compile(query, model!, context).sql.matchAll(/(LEFT JOIN|JOIN) "(\w+)"/g)].map(
    ([, kind, table]) => `${kind} ${table}`,
  )
}
const is = (field: string) => ({ field, op: '=', value: 'a' })

t.test('joins that a filter makes inner come first, each after the tables that it reads', async (t) => {
  t.same(joins(['Town'], [is('Kind')]), ['JOIN wares', 'JOIN kinds', 'LEFT JOIN shops', 'LEFT JOIN towns'])
  t.same(joins(['Ware'], [is('Town')]), ['JOIN shops', 'JOIN towns', 'LEFT JOIN wares'])
  t.same(joins(['Kind'], [is('Ware')]), ['JOIN wares', 'LEFT JOIN kinds'])
})

t.test('without such a filter the order of joins does not change', async (t) => {
  t.same(joins(['Shop', 'Ware'], []), ['LEFT JOIN shops', 'LEFT JOIN wares'])
  t.same(joins(['Shop'], [{ field: 'Ware', op: 'is_null' }]), ['LEFT JOIN shops', 'LEFT JOIN wares'])
})
