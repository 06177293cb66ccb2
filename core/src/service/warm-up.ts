import { checkExamples } from './check-examples.js'
import type { Models } from './models.js'
import type { createQueries } from './queries.js'

/**
 * Loads a small model, compiles its examples and discards both, in several turns of the event loop. V8 has then parsed and compiled the
 * code that the first query of a client needs.
 */
export async function warmUp(
  { readFileAlone }: Pick<Models, 'readFileAlone'>,
  { compileUnkept }: Pick<ReturnType<typeof createQueries>, 'compileUnkept'>,
): Promise<void> {
  // The smallest one first: a turn that did all of it would block the event loop for some 40 ms.
  for (const text of [SMALLEST, MODEL]) {
    const loaded = await readFileAlone({ file: 'warm-up.yaml' }, text, '.')
    if ('model' in loaded) await checkExamples(loaded.model, (query) => compileUnkept(query, loaded.model))
  }
}

const SMALLEST = 'dataObjects: { T: { code: t, columns: { A: { code: a } } } }'

/** Exported for its test: an example that does not compile warms nothing. */
export const MODEL = `
version: 1
name: warm up
dataObjects:
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Customer: { code: customer, abstractType: int }
      Day: { code: day, abstractType: date }
      Price: { code: price, abstractType: float }
      Status: { code: status, abstractType: string }
    joins:
      - { joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer], columnsTo: [Id] }
  Visits:
    code: visits
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Customer: { code: customer, abstractType: int }
    joins:
      - { joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer], columnsTo: [Id] }
  Customers:
    code: customers
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Country: { code: country, abstractType: string }
dimensions:
  Country: { dataObject: Customers, column: Country }
  Day: { dataObject: Orders, column: Day, timeGrain: month }
measures:
  Revenue: { columns: [{ dataObject: Orders, column: Price }], aggregation: sum }
  Buyers: { columns: [{ dataObject: Orders, column: Customer }], aggregation: count_distinct }
  Visit Number: { columns: [{ dataObject: Visits, column: Id }], aggregation: count }
metrics:
  Per Visit: { expression: '{[Revenue]} / {[Visit Number]}' }
examples:
  - name: one fact
    query:
      select: { dimensions: [Country, 'Day:month'], measures: [Revenue, Buyers] }
      order_by: [{ field: Revenue, direction: desc }]
      limit: 5
  - name: two facts
    query:
      select: { dimensions: [Country], measures: [Per Visit] }
      where: [{ field: Country, op: in, value: [a, b] }]
`
