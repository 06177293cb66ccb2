import { fail } from '../errors.js'
import { isNumeric } from '../model/data-type.js'
import { type ColumnRef, leavesOf } from '../model/expression/ast.js'
import type { Measure } from '../model/semantic-model.js'
import { aggregateType } from './aggregate-type.js'
import { readObjects } from './base-of.js'
import { columnOf, type MultiFact, objectOf, type ResolvedDimension } from './resolved-query.js'
import type { RowSetContext } from './row-set-context.js'

/**
 * How a measure over several facts is evaluated at the object where they are joined (decision 49). Throws `KEY_REQUIRED`,
 * `INVALID_AGGREGATION_INPUTS`.
 */
export function multiFactOf(measure: Measure, base: string, context: RowSetContext, path: string): MultiFact | undefined {
  const { graph, columnName } = context
  const facts = readObjects(measure).filter((object) => object !== base)
  if (facts.every((object) => graph.reach(base).has(object))) return undefined
  const { key } = objectOf(graph.model, base)
  if (key.length === 0) {
    const message = `'${measure.name}' combines ${facts.map((f) => `'${f}'`).join(' and ')} at the rows of '${base}'; mark the key of '${base}' with primaryKey, so that they meet`
    fail('KEY_REQUIRED', message, { path, context: { dataObject: base } })
  }
  const keys = key.map((column): ResolvedDimension => {
    const ref: ColumnRef = { kind: 'column', object: base, column }
    const { type } = columnOf(graph.model, ref)
    const name = `${base}.${column}`
    const member = { name, object: base, via: undefined, expression: ref, type }
    return {
      name: columnName(`key ${name}`, name),
      label: name,
      type,
      members: [member],
      grain: undefined,
      format: undefined,
      path,
    }
  })
  const sums = (object: string) =>
    columnsOf(measure, object).map((column) => {
      const name = `${object}.${column.column}`
      refuseText(measure, column, context, path)
      const summed = sumOf(measure, column)
      return { column, name: columnName(`sum ${name}`, name), measure: summed, type: aggregateType(summed, context, path) }
    })
  return { keys, facts: facts.map((object) => ({ object, sums: sums(object) })), assumed: measure.anchor === undefined }
}

/** The columns of an object that a measure reads, each once. */
function columnsOf({ inputs, orderBy, withinGroup }: Measure, object: string): ColumnRef[] {
  const read = [
    ...inputs.flatMap((input) => leavesOf(input)),
    ...orderBy.map((o) => o.column),
    ...(withinGroup ? [withinGroup.column] : []),
  ]
  return read.filter(
    (ref, i) => ref.object === object && read.findIndex((r) => r.object === object && r.column === ref.column) === i,
  )
}

function refuseText(measure: Measure, ref: ColumnRef, { graph }: RowSetContext, path: string): void {
  if (isNumeric(columnOf(graph.model, ref).type)) return
  fail(
    'INVALID_AGGREGATION_INPUTS',
    `'${measure.name}' reads '${ref.object}.${ref.column}', which is summed before the facts meet and is not a number`,
    { path },
  )
}

const sumOf = (measure: Measure, column: ColumnRef): Measure => ({
  ...measure,
  name: `${column.object}.${column.column}`,
  aggregation: 'sum',
  inputs: [column],
  distinct: false,
  filters: [],
  orderBy: [],
  withinGroup: undefined,
  defaultValue: undefined,
  semiAdditive: undefined,
})
