import t from 'tap'
import { nestedOn } from '../nested.js'
import { openEngine } from './engine.js'

await nestedOn(
  t,
  openEngine,
  {},
  {
    load: `CREATE TYPE nested_item AS (sku TEXT, qty BIGINT);
    CREATE TABLE nested_orders (id BIGINT, freight BIGINT, doc JSONB, items nested_item[], tags TEXT[]);
    INSERT INTO nested_orders VALUES
      (1, 5, '[{"sku": "b", "qty": 2}, {"sku": "it''s", "qty": 1}]', ARRAY[('b', 2)::nested_item, ('a', 1)::nested_item],
        ARRAY['new', 'gift']),
      (2, 7, '[{"qty": 3}]', ARRAY[('a', 8)::nested_item], ARRAY['new']), (3, 9, '{}', '{}', NULL),
      (4, 11, NULL, NULL, ARRAY['old', 'old'])`,
    doc: 'jsonb',
    items: 'nested_item[]',
    tags: 'text[]',
  },
)
