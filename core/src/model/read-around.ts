/** Objects that read a table of which policies remove rows, where these policies do not reach. */
import { grouped } from '../grouped.js'
import { boundBy } from './access.js'
import { mayShareTable, nameOfTable, type Stored } from './may-share-table.js'
import type { DataObject, Rollup, StaticFilter } from './semantic-model.js'

/** A model of which one asks whether its objects read around policies. */
export interface Ruled {
  readonly dataObjects: ReadonlyMap<string, DataObject>
  readonly rows: readonly Pick<StaticFilter, 'dataObject'>[]
  readonly unbound: readonly string[]
}

/** A model with policies. A rollup table has the rows of its object, too. */
export interface Ruling extends Pick<Ruled, 'dataObjects' | 'rows'> {
  readonly rollups: readonly Pick<Rollup, 'dataObject' | 'table'>[]
}

interface ReadAround {
  readonly object: string
  /** The object of the ruling model whose table it reads. */
  readonly twin: string
  /** The object on which a policy is that removes rows of the twin, and none of the other. */
  readonly policyOn: string
}

/**
 * The objects of `ruled` over a table of which the policies of `ruling` remove rows, each with a policy on whose table none binds it. By which way it is bound is
 * the choice of its author: orders may be those of a buyer in one object, and those of a seller in another.
 */
export function readAround(ruling: Ruling, ruled: Ruled): readonly ReadAround[] {
  const own = boundBy(ruled, ruled.rows)
  const removing = grouped(tablesOf(ruling), ({ table }) => nameOfTable(table) ?? '')
  return [...ruled.dataObjects.values()].flatMap((object): readonly ReadAround[] => {
    if (ruled.unbound.includes(object.name)) return []
    const binds = (policyOn: string) => (own.get(object.name) ?? []).some((name) => isSame(ruled, name, ruling, policyOn))
    const around = (removing.get(nameOfTable(object) ?? '') ?? []).flatMap(({ table, twin, on }) => {
      if (table === object || !mayShareTable(table, object)) return []
      return on.filter((policyOn) => !binds(policyOn)).map((policyOn) => ({ object: object.name, twin, policyOn }))
    })
    return around.slice(0, 1)
  })
}

/** Whether two names, each of its model, are of one table. */
function isSame(one: Pick<Ruled, 'dataObjects'>, name: string, other: Pick<Ruled, 'dataObjects'>, otherName: string): boolean {
  const [a, b] = [one.dataObjects.get(name), other.dataObjects.get(otherName)]
  return a !== undefined && b !== undefined && (a === b || mayShareTable(a, b))
}

interface Removing {
  readonly table: Stored
  readonly twin: string
  /** The objects on which policies are that remove its rows. */
  readonly on: readonly string[]
}

/** The tables that have rows which policies remove, or sums of them. */
const tablesOf = ({ dataObjects, rows, rollups }: Ruling): readonly Removing[] =>
  [...boundBy({ dataObjects }, rows)].flatMap(([twin, on]) =>
    [
      ...[dataObjects.get(twin) ?? []].flat(),
      ...rollups.flatMap(({ dataObject, table }) =>
        dataObject === twin ? [{ source: { kind: 'table' as const, ...table }, nestedIn: undefined }] : [],
      ),
    ].map((table) => ({ table, twin, on })),
  )
