import { fail, within } from '../errors.js'
import { freeName } from '../resolve/aliases.js'
import { columnOf, objectOf, type RawQuery } from '../resolve/resolved-query.js'
import type { Bound } from './bind-aggregate.js'
import { conditionsOf } from './bind-block.js'
import type { BindContext } from './bind-context.js'
import type { NamedExpr } from './bound-block.js'
import type { BoundRaw } from './bound-query.js'
import { ConnectedRows } from './connected-rows.js'
import { conjunctsFor } from './reach.js'

/** Detail rows of one base. Throws `KEY_REQUIRED` where a row could meet the conditions in several ways and cannot be told apart. */
export function bindRaw(query: RawQuery, context: BindContext): Bound<BoundRaw> {
  const { base, outputs, order, distinct, limit, offset, model } = query
  const { conjuncts, bridges, apart, reach } = conjunctsFor(base, query, `the rows of '${base}'`)
  const connected = new ConnectedRows(context, { base, bridges, apart })
  const { base: rows, multiplies } = connected
  const fields = query.fields.map(
    (f, i): NamedExpr => ({
      name: f.name,
      type: f.type,
      expression: within(`select.fields[${i}]`, () => rows.expression(f.column)),
    }),
  )
  const key = objectOf(model, base).key.map((column, i): NamedExpr => {
    const { type } = columnOf(model, { kind: 'column', object: base, column })
    return { name: freeName(`key_${i + 1}`, fields), type, expression: rows.column(rows.root, column) }
  })
  const where = conditionsOf(connected, { conjuncts })
  const from = connected.bound()
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
    `a row of '${base}' can meet the filter in several ways; mark its key with primaryKey, so that it stands once`,
    { path: 'where' },
  )
