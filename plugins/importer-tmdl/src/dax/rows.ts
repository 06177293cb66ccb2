/** DAX over the rows of a table. */
import { LeftOut } from '@grainline/importer-dbt/foreign'
import type { Tables, TmdlColumn } from '../tables.js'
import { Expressions, isConstant, type Value } from './expressions.js'
import type { Dax } from './parse.js'

/** Writes expressions over the rows of one table. */
export class Rows extends Expressions {
  /** The columns that were read. */
  readonly read = new Set<TmdlColumn>()
  protected override readonly where = 'a row'

  constructor(
    private readonly tables: Tables,
    private readonly table: string,
  ) {
    super()
  }

  protected override column({ table, name, part }: Extract<Dax, { kind: 'column' }>): Value {
    if (part !== undefined)
      throw new LeftOut(`'.[${part}]' is no value of a row here`, undefined, 'Write YEAR, MONTH or another function.')
    return this.#column(table ?? this.table, name, false)
  }

  protected override variable({ name, value }: Extract<Dax, { kind: 'variable' }>): Value {
    if (!isConstant(value)) throw new LeftOut(`the variable '${name}' is computed outside of the rows that read it`)
    return this.value(value)
  }

  protected override own(name: string, args: readonly Dax[]): Value | undefined {
    if (name !== 'RELATED') return undefined
    const [first, more] = args
    if (first?.kind !== 'column' || first.table === undefined || more) throw new LeftOut('RELATED has no column')
    return this.#column(first.table, first.name, true)
  }

  #column(table: string, name: string, isRelated: boolean): Value {
    const column = this.tables.column(table, name)
    const isOwn = column.table === this.table
    if (!isOwn && !isRelated)
      throw new LeftOut(`'${column.table}'[${column.name}] is of another table`, undefined, 'Write RELATED.')
    if (!this.tables.reachedFrom(this.table).has(column.table))
      throw new LeftOut(`no active relationship leads from '${this.table}' to '${column.table}'`)
    this.read.add(column)
    return { text: `{[${column.table}].[${column.name}]}`, kind: column.kind, isNeverBlank: column.isNeverBlank && isOwn }
  }
}
