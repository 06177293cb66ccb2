import t from 'tap'
import { nestedOn } from '../nested.js'
import { openEngine } from './engine.js'

const items = 'Array(Tuple(sku String, qty Int64))'

await nestedOn(
  t,
  openEngine,
  {},
  {
    // The loader of the suites does not support arrays, and keeps CREATE TABLE IF NOT EXISTS as written.
    load: `CREATE TABLE IF NOT EXISTS nested_orders (id Int64, freight Int64, doc Nullable(String), items ${items}, tags Array(String))
      ENGINE = Memory;
    INSERT INTO nested_orders VALUES
      (1, 5, '[{"sku": "b", "qty": 2}, {"sku": "it''s", "qty": 1}]', [('b', 2), ('a', 1)], ['new', 'gift']),
      (2, 7, '[{"qty": 3}]', [('a', 8)], ['new']), (3, 9, '{}', [], []), (4, 11, NULL, [], ['old', 'old'])`,
    doc: 'json',
    items,
    tags: 'Array(String)',
  },
)
