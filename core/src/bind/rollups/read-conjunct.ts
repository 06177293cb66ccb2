/** The conditions of a question over the columns of a rollup table. */

import type { NonEmpty } from '../../invariant.js'
import { mapLeaves } from '../../model/expression/ast.js'
import { membersFor } from '../../resolve/locate.js'
import type { Conjunct, ExistsLeaf, FieldLeaf, FieldSource, WhereLeaf } from '../../resolve/resolved-query.js'
import { isSame } from '../../same.js'
import type { RequestedConjunct } from '../block-request.js'
import { existsPath } from '../exists-path.js'
import { onBuckets } from './on-buckets.js'
import { heldFor, isRowRead, readField, type TableReading } from './readable.js'
import { onlyField } from './times-of.js'
import { allRead, isUnread, onlyRead, type Unread, unread } from './unread.js'

/** The conditions that remain, or why one cannot be read. A condition of the table itself is met by each of its rows, and a bound for speed is left out. */
export function readConjuncts(
  conjuncts: readonly RequestedConjunct[],
  reading: TableReading,
): readonly RequestedConjunct[] | Unread {
  const isMet = ({ expression }: Conjunct): boolean => reading.table.where.some((own) => isSame(own.expression, expression))
  const asked = conjuncts.filter((one) => !isMet(one) && !one.isNear)
  return allRead(asked.map((one) => readConjunct(one, reading)))
}

function readConjunct(conjunct: RequestedConjunct, reading: TableReading): RequestedConjunct | Unread {
  const { times: _, ...rest } = conjunct
  if (conjunct.shown) return unread('NEEDS_ROWS', conjunct.fields.join(', '), 'only the rows behind what the answer shows count')
  const fault = conjunct.leaves.map((leaf) => faultOf(leaf, conjunct.path, reading)).find((one) => one !== undefined)
  if (!fault) return { ...rest, expression: mapLeaves(conjunct.expression, (leaf) => readLeaf(leaf, conjunct.path, reading)) }
  const field = fault.reason === 'GRAIN_TOO_COARSE' ? onlyField(conjunct) : undefined
  if (!field) return fault
  const found = heldFor(field.members[0], reading).map((held) => onBuckets(conjunct, held, reading))
  const read = found.find((one) => !isUnread(one)) ?? found[0] ?? fault
  return isUnread(read) ? read : { ...rest, expression: read }
}

type Leaf = Conjunct['leaves'][number]

const faultOf = (leaf: Leaf, path: string, reading: TableReading): Unread | undefined =>
  leaf.kind === 'where-field'
    ? membersOf(leaf, path, reading)
        .map((member) => readField(member, reading))
        .find(isUnread)
    : faultOfExists(leaf, reading)

/** The fields of a coalesce that the data object uses. */
export const membersOf = (
  { members }: Pick<FieldLeaf, 'members'>,
  path: string,
  { table, graph }: TableReading,
): readonly FieldSource[] => membersFor(table.base.name, members, graph, path) ?? []

function readLeaf(leaf: WhereLeaf, path: string, reading: TableReading): WhereLeaf {
  return leaf.kind === 'where-field' ? readFieldLeaf(leaf, path, reading) : leaf
}

/** A leaf of which every field can be read. */
export function readFieldLeaf(leaf: FieldLeaf, path: string, reading: TableReading): FieldLeaf {
  const read = membersOf(leaf, path, reading).map((member) => readField(member, reading))
  const [first, ...rest] = onlyRead(read)
  const members: NonEmpty<FieldSource> = first ? [first, ...rest] : leaf.members
  return { ...leaf, members }
}

/** A test on a row that the rows of the table reach. None of its rows may be those of the data object, which the table replaces. */
function faultOfExists(leaf: ExistsLeaf, reading: TableReading): Unread | undefined {
  const { subject, target } = leaf
  const { table, graph } = reading
  const base = table.base.name
  if (!isRowRead(subject, reading))
    return unread(
      'DIMENSION_MISSING',
      subject.name,
      `does not hold the columns by which its rows reach the '${subject.object}' that is tested`,
    )
  const objects = [target, ...existsPath(graph, subject.object, leaf).flatMap(({ from, to }) => [from, to])]
  const isBeside = objects.every((object) => !graph.reach(object).has(base))
  return isBeside
    ? undefined
    : unread('NEEDS_ROWS', target, `does not hold the rows of '${base}' that a test for rows of '${target}' reads`)
}
