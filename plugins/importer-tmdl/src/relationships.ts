/** Relationships → joins, written at the side of many. */
import { type Draft, type Entry, LeftOut, type Part } from '@grainline/importer-dbt/foreign'
import { isOn } from './keys.js'
import { columnNamedBy } from './table-name.js'
import { addUniqueKey, joinsFrom, type Tables } from './tables.js'

/** Active relationships first: a join without a name is that which a question takes. */
export function joinsOf(root: Part, isMade: (table: string) => boolean, tables: Tables, draft: Draft): void {
  const written = root.parts('relationship')
  const isActive = (part: Part) => part.text('isActive')?.toLowerCase() !== 'false'
  for (const part of [...written.filter(isActive), ...written.filter((each) => !isActive(each))])
    draft.attemptNow(`The relationship '${part.text('name')}'`, part.place, () =>
      join(part, isActive(part), isMade, tables, draft),
    )
}

function join(part: Part, isActive: boolean, isMade: (table: string) => boolean, tables: Tables, draft: Draft): void {
  const [left, right] = [columnNamedBy(part, 'fromColumn'), columnNamedBy(part, 'toColumn')]
  const made = [left, right].find(({ table }) => isMade(table))
  if (made) {
    draft.leave(part.place)
    draft.lose('inert', `The relationship to '${made.table}' is left out, as this table is.`, part.place)
    return
  }
  const behavior = part.text('joinOnDateBehavior')
  if (behavior !== undefined && behavior !== 'dateAndTime')
    throw new LeftOut('it compares only the day of its times', part.at('joinOnDateBehavior'), 'Join by a column that is a day.')
  const [one, two] = [tables.column(left.table, left.column), tables.column(right.table, right.column)]
  if (one.table === two.table) throw new LeftOut('a table has no join to itself in the model')
  const [fromCardinality, toCardinality] = [part.text('fromCardinality') ?? 'many', part.text('toCardinality') ?? 'one']
  const isTurned = fromCardinality === 'one' && toCardinality === 'many'
  const [from, to] = isTurned ? [two, one] : [one, two]
  const isMany = fromCardinality === 'many' && toCardinality === 'many'
  const joinType = isMany ? 'many-to-many' : fromCardinality === 'one' && toCardinality === 'one' ? 'one-to-one' : 'many-to-one'
  if (one.kind !== two.kind) throw new LeftOut('its columns have different types')
  const [owner, target] = [tables.named(from.table), tables.named(to.table)]
  const isSecond =
    !isActive ||
    joinsFrom(owner).some(({ joinTo }) => joinTo === to.table) ||
    joinsFrom(target).some(({ joinTo }) => joinTo === from.table)
  const pathName = `${from.table}.${from.name} to ${to.table}`
  const entry: Entry = {
    ...{ joinType, joinTo: to.table, columnsFrom: [from.name], columnsTo: [to.name] },
    ...(isOn(part, 'relyOnReferentialIntegrity') && joinType !== 'many-to-many' && { foreignKey: true }),
    ...(isSecond && { secondary: true, pathName }),
  }
  // The side of one has each value once.
  if (joinType !== 'many-to-many') addUniqueKey(target, to.name)
  if (joinType === 'one-to-one') addUniqueKey(owner, from.name)
  const joins = [...joinsFrom(owner), entry]
  owner.entry['joins'] = joins
  const path = ['dataObjects', owner.name, 'joins', joins.length - 1]
  draft.places.push({ path, place: part.place })
  if (isSecond)
    draft.lose(
      'rewritten',
      `The relationship '${pathName}' is ${isActive ? 'the second of its tables' : 'not active'}: a query takes it only by its name.`,
      part.place,
      {
        hint: 'Name it in usePathNames.',
        path,
      },
    )
  if (part.text('crossFilteringBehavior') === 'bothDirections')
    draft.lose(
      'rewritten',
      `Filters pass '${pathName}' in both directions in Power BI. Here a filter that does not reach a measure is an error.`,
      part.place,
      { path },
    )
}
