import { type Finding, fail, warning } from '../errors.js'
import { lastOf } from '../invariant.js'
import { formatDataType, sameType } from '../model/data-type.js'
import type { Column, MeasureSource } from '../model/semantic-model.js'
import { measuredAt, measuredColumn, type Relation, rootPath } from '../relation/relation.js'
import { bucketType } from '../resolve/bucket.js'
import { measureQuery } from '../resolve/measure-column.js'
import { bindAggregate } from './bind-aggregate.js'
import type { BindContext, MeasuredColumn, MeasuredColumns } from './bind-context.js'
import type { BoundMeasured } from './bound-query.js'

/** The measures that are columns, bound as they are read. Each is one query by the key of its object, whatever reads it. */
export class MeasuredQueries implements MeasuredColumns {
  readonly #columns = new Map<string, MeasuredColumn | 'open'>()
  readonly #bound: BoundMeasured[] = []
  readonly #warnings: Finding[] = []

  constructor(private readonly context: Omit<BindContext, 'measured'>) {}

  /** Each after those that it reads. */
  get all(): readonly BoundMeasured[] {
    return this.#bound
  }

  get warnings(): readonly Finding[] {
    return this.#warnings
  }

  column(object: string, column: Column): MeasuredColumn {
    const of = measuredAt(rootPath(object), column.name)
    const known = this.#columns.get(of)
    if (known === 'open') return refuseCycle(measuredColumn(of))
    if (known) return known
    this.#columns.set(of, 'open')
    const made = this.#bind(object, column, of)
    this.#columns.set(of, made)
    return made
  }

  #bind(object: string, column: Column, of: Relation): MeasuredColumn {
    const warn = (...of: Parameters<typeof warning>): void => void this.#warnings.push(warning(...of))
    const source = column.source as MeasureSource
    const { query, empty, isCount } = measureQuery({ kind: 'column', object, column: column.name }, source, {
      ...this.context,
      warn,
    })
    const { rows, warnings } = bindAggregate(query, { ...this.context, graph: query.graph, measured: this })
    this.#warnings.push(...warnings)
    const value = lastOf(query.outputs)
    const type = source.grain ? bucketType(source.grain) : value.type
    if (!sameType(type, column.type)) refuseType(measuredColumn(of), source, formatDataType(type))
    this.#bound.push({ of, rows })
    return {
      of,
      keys: query.dimensions.map(({ name, type }) => ({ name, type })),
      value: { name: value.name, type: value.type },
      empty,
      isCount,
    }
  }
}

/** Measure columns that read each other are refused when the model is loaded, so a filter of the model closes the circle. */
const refuseCycle = (of: string): never =>
  fail(
    'CYCLIC_FILTER',
    `A filter of the model reads '${of}', a measure that counts only rows that this filter leaves. Put the condition into the where of the query, a segment, or the filters of a measure`,
  )

const refuseType = (of: string, { measure }: MeasureSource, type: string): never =>
  fail(
    'INVALID_COLUMN',
    `'${of}' cannot be a column: '${measure}' by the key of the object is ${type}, because weights or sums of several facts are in it`,
  )
