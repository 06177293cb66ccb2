import { fail, within } from '../errors.js'
import { freeName } from '../resolve/aliases.js'
import { columnOf, objectOf, type RawQuery } from '../resolve/resolved-query.js'
import type { Bound } from './bind-aggregate.js'
import type { BindContext } from './bind-context.js'
import { conditionsOf } from './block-conditions.js'
import type { NamedExpr } from './bound-block.js'
import { boundFrom } from './bound-from.js'
import type { BoundRaw } from './bound-query.js'
import { connectedRows } from './connected-rows.js'
import { conjunctsFor } from './reach.js'
import { readColumn, readExpression } from './read-rows.js'

/** Raw rows of one base. Throws `KEY_REQUIRED` if a row can meet the conditions several times and has no key to identify it. */
export function bindRaw(query: RawQuery, context: BindContext): Bound<BoundRaw> {
  const { base, outputs, order, distinct, limit, offset, model } = query
  const { conjuncts, bridges, separate, reach } = conjunctsFor(base, query, `the rows of '${base}'`)
  const connected = connectedRows(context, { base, bridges, separate })
  const rows = connected.base
  const multiplies = connected.bridges.length > 0
  const fields = query.fields.map(
    (f, i): NamedExpr => ({
      name: f.name,
      type: f.type,
      expression: within(`select.fields[${i}]`, () => readExpression(rows, f.column)),
    }),
  )
  const key = objectOf(model, base).key.map((column, i): NamedExpr => {
    const { type } = columnOf(model, { kind: 'column', object: base, column })
    return { name: freeName(`key_${i + 1}`, fields), type, expression: readColumn(rows, rows.root, column) }
  })
  const values = [...fields, ...key].map(({ expression }) => expression)
  const { from, where } = boundFrom(connected, { groups: [], values, conditions: conditionsOf(connected, { conjuncts }) })
  if (!distinct && multiplies && key.length === 0) refuseKeyless(base)
  const paged = limit !== undefined || offset !== undefined
  return {
    rows: { kind: 'raw', from, where, fields, key, multiplies, distinct, paged, outputs, order },
    reach,
    warnings: [],
    bases: [base],
  }
}

const refuseKeyless = (base: string): never =>
  fail(
    'KEY_REQUIRED',
    `a row of '${base}' can meet the filter several times; mark its key with primaryKey, so that it is counted once`,
    { path: 'where' },
  )
