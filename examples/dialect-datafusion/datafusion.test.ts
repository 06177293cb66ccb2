import { builtInAggregates, builtInFunctions, compile, createHost, loadModel, parseQuery } from '@grainline/core'
import { dialectConformance } from '@grainline/core/testing'
import t from 'tap'
import { datafusion } from './index.js'

dialectConformance(t, datafusion, {
  quoted: {
    plain: '"plain"',
    'Mixed Case': '"Mixed Case"',
    'a.b': '"a.b"',
    'say "hi"': '"say ""hi"""',
    "it's": `"it's"`,
    'back`tick': '"back`tick"',
    'br[ack]et': '"br[ack]et"',
    select: '"select"',
    'Größe 東京': '"Größe 東京"',
    'per%cent': '"per%cent"',
  },
  strings: {
    '': "''",
    plain: "'plain'",
    "it's": "'it''s'",
    "''": "''''''",
    'back\\slash': "'back\\slash'",
    "\\'; DROP TABLE t; --": "'\\''; DROP TABLE t; --'",
    'say "hi"': `'say "hi"'`,
    'line\nbreak': "'line\nbreak'",
    'Zürich 🚀': "'Zürich 🚀'",
    '100%_': "'100%_'",
  },
  literals: {
    true: 'TRUE',
    false: 'FALSE',
    date: "DATE '2024-02-29'",
    time: "TIME '23:59:58'",
    timestamp: "TIMESTAMP(6) '2024-02-29 23:59:58.5'",
    timestamp_tz: `ARROW_CAST('2024-02-29 23:59:58.5Z', 'Timestamp(Microsecond, Some("UTC"))')`,
  },
  refusedFunctions: ['json_value'],
})

t.test('elements of a list are unnested, and those of JSON are refused by name', async (t) => {
  const array = (code: string, sqlType: string) => ({ code, abstractType: 'json', sqlType })
  const elements = (column: string) => ({
    code: '-',
    nestedIn: { dataObject: 'Orders', column },
    columns: { Sku: { code: 'sku', abstractType: 'string' }, Place: { code: '#', abstractType: 'int' } },
  })
  const { model } = await loadModel({
    json: {
      dataObjects: {
        Orders: {
          code: 'orders',
          columns: {
            Id: { code: 'id', abstractType: 'int', primaryKey: true },
            Items: array('items', 'List'),
            Doc: array('doc', 'json'),
          },
        },
        Items: elements('Items'),
        'JSON Items': elements('Doc'),
      },
    },
  })
  const context = {
    dialect: datafusion,
    functions: builtInFunctions,
    aggregates: builtInAggregates,
    now: new Date(0),
    storedTypes: 'declared',
  } as const
  const sqlOf = (field: string) => compile(parseQuery({ select: { fields: [field] } }), model!, context).sql
  t.match(sqlOf('Items.Sku'), /CAST\("\*"\['sku'\] AS VARCHAR\) AS "sku"/)
  t.throws(() => sqlOf('JSON Items.Sku'), { code: 'UNSUPPORTED_SQL_FEATURE', message: /type 'json'.* on datafusion/ })
})

t.test('a config that names the package by its path uses the dialect', async (t) => {
  const host = await createHost({ plugins: ['./index.ts'], base: import.meta.dirname })
  t.teardown(() => host.close())
  t.same(host.dialects.names(), ['datafusion'])
})
