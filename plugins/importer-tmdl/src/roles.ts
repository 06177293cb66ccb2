/** A table under another relationship: a second data object over it, for measures with USERELATIONSHIP. */
import { type Draft, type Entry, LeftOut } from '@grainline/importer-dbt/foreign'
import type { Taken } from './dax/filters.js'
import { joinsFrom, type Tables, type TmdlTable } from './tables.js'

export class Roles {
  readonly #names = new Map<string, string>()

  constructor(
    private readonly tables: Tables,
    private readonly draft: Draft,
  ) {}

  /** The entry of an aggregate over a table, along relationships that are taken in place of the active ones. */
  along(entry: Entry, base: string, taken: readonly Taken[]): Entry {
    if (taken.length === 0) return entry
    const [one, other] = taken
    if (!one || other) throw new LeftOut('it takes several relationships')
    const owner = this.tables.named(base)
    const at = this.#joinOf(owner, one)
    const name = this.#named(owner, at)
    return renamed(entry, owner.name, name)
  }

  /** Which of the joins of a table is meant. */
  #joinOf(owner: TmdlTable, { from, to }: Taken): number {
    const isOf = ({ joinTo, columnsFrom, columnsTo }: Entry, here: Taken['from'], there: Taken['to']) =>
      here.table === owner.name && joinTo === there.table && only(columnsFrom) === here.name && only(columnsTo) === there.name
    const at = joinsFrom(owner).findIndex((each) => isOf(each, from, to) || isOf(each, to, from))
    if (at < 0)
      throw new LeftOut(
        `no relationship with these columns leads from '${owner.name}'`,
        undefined,
        'Use it in measures over the rows of its table.',
      )
    return at
  }

  #named(owner: TmdlTable, at: number): string {
    const join = joinsFrom(owner)[at]
    if (join?.['secondary'] !== true) return owner.name
    if (join['joinType'] !== 'many-to-one') throw new LeftOut('the relationship is not from many to one')
    const name = `${owner.name} by ${String(only(join['columnsFrom']))}`
    const known = this.#names.get(name)
    if (known !== undefined) return known
    const key = Object.entries(owner.columns).flatMap(([column, { primaryKey }]) => (primaryKey === true ? [column] : []))
    if (key.length === 0)
      throw new LeftOut(
        `'${owner.name}' has no key, by which its rows are found again`,
        undefined,
        'Write isKey in the column that identifies its rows.',
      )
    if (this.tables.all.has(name.toUpperCase())) throw new LeftOut(`there is a table '${name}'`)
    const { secondary: _, pathName: __, ...active } = join
    const own = { joinType: 'one-to-one', joinTo: owner.name, columnsFrom: key, columnsTo: key, foreignKey: true }
    const { calendar: ___, uniqueKeys: ____, ...table } = owner.entry
    const columns = Object.fromEntries(
      Object.entries(owner.columns).map(([column, entry]) => [column, renamed(entry, owner.name, name)]),
    )
    this.draft.add('dataObjects', name, { ...table, columns, joins: [active, own] }, owner.part.place)
    this.draft.lose(
      'rewritten',
      `Measures with USERELATIONSHIP are over '${name}': the rows of '${owner.name}', which lead to '${String(join['joinTo'])}' by '${String(only(join['columnsFrom']))}'.`,
      owner.part.place,
      { path: ['dataObjects', name] },
    )
    this.#names.set(name, name)
    return name
  }
}

const only = (columns: unknown): unknown => (Array.isArray(columns) && columns.length === 1 ? (columns[0] as unknown) : undefined)

/** The entry with the columns of one data object read from another. */
function renamed(entry: Entry, from: string, to: string): Entry {
  const text = (value: unknown) => (typeof value === 'string' ? value.replaceAll(`{[${from}].[`, `{[${to}].[`) : value)
  const { expression, columns, anchor, filters, ...rest } = entry
  return {
    ...rest,
    ...(columns !== undefined && {
      columns: (columns as readonly Entry[]).map((each) => ({
        ...each,
        dataObject: each['dataObject'] === from ? to : each['dataObject'],
      })),
    }),
    ...(expression !== undefined && { expression: text(expression) }),
    ...(anchor !== undefined && { anchor: anchor === from ? to : anchor }),
    ...(filters !== undefined && {
      filters: (filters as readonly Entry[]).map((each) => ({ ...each, expression: text(each['expression']) })),
    }),
  }
}
