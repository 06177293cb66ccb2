/** The groups of a question over the columns of a rollup table. */
import type { NonEmpty } from '../../invariant.js'
import { leavesOf, mapLeaves } from '../../model/expression/ast.js'
import { type Grain, lengthOfGrain, nameOfGrain } from '../../model/grain.js'
import type { FieldLeaf, FieldSource, ResolvedDimension } from '../../resolve/resolved-query.js'
import { isSame } from '../../same.js'
import type { HeldDimension } from './held-table.js'
import { membersOf, readFieldLeaf } from './read-conjunct.js'
import { columnOfTable, heldFor, readField, type TableReading } from './readable.js'
import { isUnread, onlyRead, type Unread, unread } from './unread.js'

export function readDimension(dimension: ResolvedDimension, reading: TableReading): ResolvedDimension | Unread {
  const { expression, members, path, label } = dimension
  if (expression) {
    const fields = leavesOf<FieldLeaf>(expression).flatMap((leaf) => membersOf(leaf, path, reading))
    const fault = fields.map((field) => readField(field, reading)).find(isUnread)
    return fault ?? { ...dimension, expression: mapLeaves(expression, (leaf) => readFieldLeaf(leaf, path, reading)) }
  }
  const read = membersOf({ members }, path, reading).map((member) => readField(member, reading))
  const [first, ...rest] = onlyRead(read)
  if (first && rest.length === read.length - 1) return { ...dimension, members: [first, ...rest] }
  return members.length === 1 ? ofPeriods(dimension, members, reading) : (read.find(isUnread) ?? missing(label))
}

const missing = (label: string): Unread => unread('DIMENSION_MISSING', label, `does not hold '${label}'`)

/** A time of which the table holds only periods: in the same ones, or in longer ones of which each is several of them. */
function ofPeriods(
  dimension: ResolvedDimension,
  members: NonEmpty<FieldSource>,
  reading: TableReading,
): ResolvedDimension | Unread {
  const { grain, movedBy, label } = dimension
  const held = heldFor(members[0], reading)
  const own = held.find((one) => movedBy === undefined && isSame(one.grain, grain))
  if (own) return { ...dimension, grain: undefined, members: [columnOfTable(own, members[0].name)] }
  const finer = held.find((one) => grain !== undefined && movedBy === undefined && isPartOf(one, grain))
  if (finer) return { ...dimension, members: [columnOfTable(finer, members[0].name)] }
  const [first] = held
  if (!first?.grain) return { ...missing(label), field: members[0].name }
  const asked = grain === undefined ? 'single times' : `each ${nameOfGrain(grain)}`
  return unread(
    'GRAIN_TOO_COARSE',
    label,
    `holds each ${nameOfGrain(first.grain)} of '${members[0].name}' as a whole, and the question groups by ${asked}`,
  )
}

/** Whether each period of `longer` is several whole ones of those that are held. A week is in no month. */
function isPartOf({ grain: shorter }: HeldDimension, longer: Grain): boolean {
  if (shorter === undefined || lengthOfGrain(shorter) > lengthOfGrain(longer)) return false
  if (typeof shorter === 'string') {
    if (lengthOfGrain(shorter) <= lengthOfGrain('day')) return true
    return typeof longer === 'string' && shorter !== 'week'
  }
  return typeof longer === 'object' && isSame(shorter.calendar, longer.calendar)
}
