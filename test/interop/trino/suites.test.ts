import t from 'tap'
import { calendarsOn } from '../calendar-suite.js'
import { type NestedTables, nestedOn } from '../nested.js'
import { corpusOn, functionsOn, oracleOn, specialNumbersOn, suitesOn } from '../suites.js'
import { timeLawsOn } from '../time-laws-suite.js'
import { LOADED, openEngine } from './engine.js'
import { valuesOn } from './values.js'
import { witness } from './witness.js'

const NESTED: NestedTables = {
  load: `CREATE TABLE nested_orders (id BIGINT, freight BIGINT, doc JSON, items ARRAY(ROW(sku VARCHAR, qty BIGINT)), tags ARRAY(VARCHAR));
    INSERT INTO nested_orders VALUES
      (1, 5, JSON '[{"sku": "b", "qty": 2}, {"sku": "it''s", "qty": 1}]', ARRAY[ROW('b', 2), ROW('a', 1)], ARRAY['new', 'gift']),
      (2, 7, JSON '[{"qty": 3}]', ARRAY[ROW('a', 8)], ARRAY['new']), (3, 9, JSON '{}', ARRAY[], NULL),
      (4, 11, NULL, NULL, ARRAY['old', 'old'])`,
  doc: 'json',
  items: 'array(row(sku varchar, qty bigint))',
  tags: 'array(varchar)',
}

await suitesOn(t, openEngine, {
  corpus: (t, open) => corpusOn(t, open, witness),
  functions: functionsOn,
  values: valuesOn,
  'nested arrays': (t, open) => nestedOn(t, async () => (await open()).loading(LOADED.asWritten), {}, NESTED),
  calendars: calendarsOn,
  'special numbers': (t, open) => specialNumbersOn(t, async () => (await open()).loading(LOADED.views)),
  // A view of the 1,700 rows of its calendar would be planned again in each scan.
  'laws of time': (t, open) => timeLawsOn(t, open),
  'generated questions': (t, open) => oracleOn(t, async () => (await open()).loading(LOADED.views)),
})
