import { type Finding, fail, warning } from '../errors.js'
import { lastOf } from '../invariant.js'
import { formatDataType, sameType } from '../model/data-type.js'
import type { Closure, Column, ExistsSource, MeasureSource } from '../model/semantic-model.js'
import { atEndOf, madeOf, measuredAt, measuredColumn, type Relation, rootPath } from '../relation/relation.js'
import { bucketType } from '../resolve/bucket.js'
import { TRUE } from '../resolve/expressions.js'
import { joinGraph } from '../resolve/join-graph.js'
import { measureQuery } from '../resolve/measure-column.js'
import { existsLeaf } from '../resolve/measure-filters.js'
import { objectOf } from '../resolve/resolved-query.js'
import { bindAggregate } from './bind-aggregate.js'
import type {
  BindContext,
  ColumnOfOtherRows,
  FoundColumn,
  MeasuredColumn,
  MeasuredColumns,
  WindowedColumn,
} from './bind-context.js'
import { boundClosure } from './bound-closure.js'
import type { BoundMeasured } from './bound-query.js'
import { foundRows } from './read-exists.js'
import { type WindowColumn, windowedRows } from './windowed-rows.js'

/** The columns over other rows, bound as they are read. Each is computed once, whatever reads it. */
export class MeasuredQueries implements MeasuredColumns {
  readonly #columns = new Map<string, ColumnOfOtherRows | 'open'>()
  readonly #closures = new Set<string>()
  readonly #bound: BoundMeasured[] = []
  readonly #warnings: Finding[] = []

  constructor(private readonly context: Omit<BindContext, 'measuredQueries'>) {}

  /** Each after those that it reads. */
  get all(): readonly BoundMeasured[] {
    return this.#bound
  }

  get warnings(): readonly Finding[] {
    return this.#warnings
  }

  column(object: string, column: Column): ColumnOfOtherRows {
    const of = measuredAt(rootPath(object), column.name)
    const known = this.#columns.get(of)
    if (known === 'open') return refuseCycle(measuredColumn(of))
    if (known) return known
    this.#columns.set(of, 'open')
    const made = this.#made(object, column, of)
    this.#columns.set(of, made)
    return made
  }

  check(read: () => void): void {
    const [columns, closures] = [new Map(this.#columns), new Set(this.#closures)]
    const [bound, warnings] = [this.#bound.length, this.#warnings.length]
    read()
    for (const of of this.#columns.keys()) if (!columns.has(of)) this.#columns.delete(of)
    for (const object of this.#closures) if (!closures.has(object)) this.#closures.delete(object)
    this.#bound.length = bound
    this.#warnings.length = warnings
  }

  #made(object: string, column: Column, of: Relation): ColumnOfOtherRows {
    const { source } = column
    switch (source.kind) {
      case 'exists':
        return this.#find(object, column.name, source, of)
      case 'window':
        return this.#place(object, { ...column, source }, of)
      case 'measure':
        return this.#bind(object, column, source, of)
      default:
        return fail('INTERNAL_ERROR', `'${object}.${column.name}' reads no other rows`)
    }
  }

  /** The rows are those of the model, too: no path of a query leads from them. */
  #place(object: string, column: WindowColumn, of: Relation): WindowedColumn {
    const graph = joinGraph(this.context.model, [])
    const rows = windowedRows({ ...this.context, graph, measuredQueries: this }, object, column)
    this.#bound.push({ of, rows: { ...rows, kind: 'windowed', alias: madeOf(of, '_rows') } })
    const { keys, call } = rows
    return { kind: 'windowed', of, by: objectOf(this.context.model, object).key, keys, value: call }
  }

  closure(object: string, closure: Closure): void {
    // A filter on the rows of the tree restricts their pairs, too: if it reads these by a column, that column closes the circle.
    if (this.#closures.has(object)) return
    this.#closures.add(object)
    const { model } = this.context
    const rows = boundClosure(object, closure, { ...this.context, graph: joinGraph(model, []), measuredQueries: this })
    this.#bound.push({ of: atEndOf(rootPath(object)), rows })
  }

  /** The rows that are found are those of the model: no path of a query leads to them. */
  #find(object: string, column: string, source: ExistsSource, of: Relation): FoundColumn {
    const { model } = this.context
    const path = `dataObjects.${object}.columns.${column}`
    const subject = { name: object, object, via: undefined, expression: TRUE, type: TRUE.type }
    const leaf = existsLeaf(subject, source, this.context, path)
    const graph = joinGraph(model, [])
    const { found, ...linked } = foundRows({ ...this.context, graph, measuredQueries: this }, object, leaf)
    this.#bound.push({ of, rows: { ...found, kind: 'found', alias: madeOf(of, '_found') } })
    return { kind: 'found', of, ...linked, keys: found.links }
  }

  #bind(object: string, column: Column, source: MeasureSource, of: Relation): MeasuredColumn {
    const warn = (...of: Parameters<typeof warning>): void => void this.#warnings.push(warning(...of))
    const { query, empty, isCount } = measureQuery({ kind: 'column', object, column: column.name }, source, {
      ...this.context,
      warn,
    })
    const { rows, warnings } = bindAggregate(query, { ...this.context, graph: query.graph, measuredQueries: this })
    this.#warnings.push(...warnings)
    const value = lastOf(query.outputs)
    const type = source.grain ? bucketType(source.grain) : value.type
    if (!sameType(type, column.type)) refuseType(measuredColumn(of), source, formatDataType(type))
    this.#bound.push({ of, rows })
    return {
      kind: 'measured',
      of,
      by: objectOf(this.context.model, object).key,
      keys: query.dimensions.map(({ name, type }) => ({ name, type })),
      value: { name: value.name, type: value.type },
      empty,
      isCount,
    }
  }
}

/** Columns over other rows that read each other are refused when the model is loaded, so a filter of the model closes the circle. */
const refuseCycle = (of: string): never =>
  fail(
    'CYCLIC_FILTER',
    `A filter of the model reads '${of}', a column that counts or finds only rows that this filter leaves. Put the condition into the where of the query, a segment, or the filters of a measure`,
  )

const refuseType = (of: string, { measure }: MeasureSource, type: string): never =>
  fail(
    'INVALID_COLUMN',
    `'${of}' cannot be a column: '${measure}' by the key of the object is ${type}, because weights or sums of several facts are in it`,
  )
