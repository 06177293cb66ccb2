import t from 'tap'
import { nestedOn } from '../nested.js'
import { LOADED, openEngine } from './engine.js'

await nestedOn(
  t,
  () => openEngine(LOADED.asWritten),
  {},
  {
    load: `CREATE TABLE nested_orders (id BIGINT, freight BIGINT, doc JSON, items ARRAY(ROW(sku VARCHAR, qty BIGINT)), tags ARRAY(VARCHAR));
    INSERT INTO nested_orders VALUES
      (1, 5, JSON '[{"sku": "b", "qty": 2}, {"sku": "it''s", "qty": 1}]', ARRAY[ROW('b', 2), ROW('a', 1)], ARRAY['new', 'gift']),
      (2, 7, JSON '[{"qty": 3}]', ARRAY[ROW('a', 8)], ARRAY['new']), (3, 9, JSON '{}', ARRAY[], NULL),
      (4, 11, NULL, NULL, ARRAY['old', 'old'])`,
    doc: 'json',
    items: 'array(row(sku varchar, qty bigint))',
    tags: 'array(varchar)',
  },
)
