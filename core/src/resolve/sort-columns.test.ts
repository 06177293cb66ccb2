/** Two dimensions of one column, each with its own order. */
import t from 'tap'
import { compileFor } from '../../../test/support/compile.js'
import { shopWith } from '../../../test/support/models.js'

t.test('an order by a dimension that is not selected keeps its own column beside that of the selected one', async (t) => {
  const model = shopWith({
    dimensions: {
      Buyer: { dataObject: 'Customers', column: 'Id', sortBy: 'Name' },
      'Buyer Number': { dataObject: 'Customers', column: 'Id', sortBy: 'Region Id' },
    },
  })
  const query = {
    select: { dimensions: ['Buyer Number'], measures: ['Order Count'] },
    grouping: 'rollup',
    order_by: [{ field: 'Buyer' }],
    limit: 4,
  }
  const { sql } = compileFor(query, model)
  t.match(sql, /MIN\([^)]*"name"\)/)
  t.match(sql, /MIN\([^)]*"region_id"\)/)
})
