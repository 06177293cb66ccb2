import t from 'tap'
import { inlinedScans } from './inlined-scans.js'

t.test('a WITH counts as often as it is read', (t) => {
  t.equal(inlinedScans('SELECT 1 FROM "a" JOIN "b" ON TRUE'), 2)
  t.equal(inlinedScans('WITH "x" AS ( SELECT 1 FROM "a" JOIN "b" ON TRUE ) SELECT 1 FROM "x" UNION ALL SELECT 1 FROM "x"'), 4)
  const twice =
    'WITH "x" AS (SELECT (1) FROM "a" JOIN "a" AS "b" ON TRUE), "y" AS (\n  SELECT \')\' FROM "x" JOIN "x" ON TRUE\n) SELECT 1 FROM "y" JOIN "x" ON TRUE'
  t.equal(inlinedScans(twice), 6)
  t.end()
})
