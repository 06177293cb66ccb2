import t from 'tap'
import { compileFor, loadText } from '../../../test/support/compile.js'

const model = loadText(`
version: 1
dataObjects:
  Points:
    code: points
    columns:
      x: { code: lower, abstractType: int, primaryKey: true }
      X: { code: upper, abstractType: int }
`)

for (const distinct of [false, true])
  t.test(
    `rows are ordered by the field that is named, where another differs by its case alone${distinct ? ', distinct' : ''}`,
    async (t) => {
      const query = { select: { fields: ['Points.x', 'Points.X'], distinct }, order_by: [{ field: 'Points.X' }] }
      const { sql } = compileFor(query, model)
      t.match(sql, /"upper" AS "Points\.X_2"/)
      t.match(sql.trim(), /ORDER BY "Points\.X_2" NULLS LAST$/)
    },
  )
