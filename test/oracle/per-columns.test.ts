/** A query that names a measure for each row of an object has the statement that it has with a column of the model, which the oracle answers. */
import t from 'tap'
import { caseNumbers } from '../support/amount.js'
import { compileQuery, parseModelJson } from './compiled.js'
import { generateCase } from './generate/case.js'
import { laterKinds } from './generate/later.js'
import type { ModelJson, QueryJson } from './model.js'

const seed = Number(process.env['ORACLE_SEED'] ?? 20261128)
const CASES = caseNumbers('ORACLE_CASES', 2, 200, 2000)

/** The measure of a dimension that is one, if the query can name it itself. */
function perOf({ dimensions = {}, dataObjects }: ModelJson, name: string): object | undefined {
  const { dataObject = '', column = '', timeGrain } = dimensions[name] ?? {}
  const { measure, grain, usePathNames } = dataObjects[dataObject]?.columns[column] ?? {}
  if (measure === undefined || usePathNames || timeGrain !== undefined) return undefined
  return { measure, per: dataObject, as: name, ...(grain !== undefined && { grain }) }
}

/** The model without a dimension, if nothing else names it. */
function without(model: ModelJson, name: string): ModelJson | undefined {
  const { [name]: _, ...dimensions } = model.dimensions ?? {}
  const rest = { ...model, dimensions }
  return JSON.stringify(rest).includes(JSON.stringify(name)) ? undefined : rest
}

function sqlOf(model: ModelJson, query: unknown): string {
  try {
    // A column of a query has no name that a column of the model has.
    return compileQuery(query as QueryJson, parseModelJson(model)).sql.replaceAll(/made_\d+/g, 'made')
  } catch (error) {
    return `refused: ${(error as { readonly code?: string }).code}`
  }
}

t.test(`queries of ${CASES.length} generated cases that name measures themselves (ORACLE_SEED=${seed})`, async (t) => {
  const counts = { same: 0, refused: 0 }
  for (const index of CASES) {
    const { model, query } = generateCase(seed, index, laterKinds('entities,grouping,top,cumulative'))
    const { dimensions = [] } = query.select
    for (const [i, dimension] of dimensions.entries()) {
      const per = typeof dimension === 'string' ? perOf(model, dimension) : undefined
      const rest = per && without(model, dimension as string)
      if (!rest) continue
      const named = { ...query, select: { ...query.select, dimensions: dimensions.with(i, per as never) } }
      const [declared, asked] = [sqlOf(model, query), sqlOf(rest, named)]
      counts[asked.startsWith('refused') ? 'refused' : 'same']++
      if (asked !== declared) t.equal(asked, declared, `case ${index}`)
    }
  }
  t.ok(counts.same > CASES.length / 20, JSON.stringify(counts))
})
