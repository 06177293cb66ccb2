/** Whether a rollup table can be read for the aggregates of a request, and the request over its columns. */
import type { NonEmpty } from '../../invariant.js'
import type { FunctionSpec } from '../../model/functions/function-spec.js'
import type { Conjunct, ResolvedAggregate } from '../../resolve/resolved-query.js'
import { isSame } from '../../same.js'
import type { BlockRequest } from '../block-request.js'
import type { HeldTable } from './held-table.js'
import { isImplied } from './implied.js'
import { readAggregate } from './read-aggregate.js'
import { readConjuncts } from './read-conjunct.js'
import { readDimension } from './read-dimension.js'
import { isSameWay, type TableReading } from './readable.js'
import { allRead, isUnread, type Unread, unread } from './unread.js'

/** What a request asks, over the columns of a table. */
export type OfTable = Pick<BlockRequest, 'dimensions' | 'conjuncts'> & { readonly aggregate: ResolvedAggregate }

/** Of one aggregate of a request. The first condition that is not met is the reason. */
export function readTable(
  aggregate: ResolvedAggregate,
  request: BlockRequest,
  reading: TableReading,
  functions: ReadonlyMap<string, FunctionSpec>,
  known: SharedReads = new Map(),
): OfTable | Unread {
  const fault = faultOfRows(aggregate, request, reading)
  if (fault) return fault
  const rest = known.get(reading.table) ?? readRequest(request, reading)
  known.set(reading.table, rest)
  if (isUnread(rest)) return rest
  const read = readAggregate(aggregate, reading, functions)
  return isUnread(read) ? read : { aggregate: read, ...rest }
}

/** What the aggregates of one request share, by the table. */
export type SharedReads = Map<HeldTable, Omit<OfTable, 'aggregate'> | Unread>

function readRequest(request: BlockRequest, reading: TableReading): Omit<OfTable, 'aggregate'> | Unread {
  const dimensions = allRead(request.dimensions.map((one) => readDimension(one, reading)))
  if (isUnread(dimensions)) return dimensions
  const conjuncts = readConjuncts(request.conjuncts, reading)
  if (isUnread(conjuncts)) return conjuncts
  const { table, time } = reading
  const missing = table.where.find((own) => !isImplied(own, request.conjuncts, time) || !isSameCondition(own, reading))
  if (missing) {
    const [field = ''] = missing.fields
    return unread(
      'ROWS_MISSING',
      field,
      `holds only rows that meet its condition on '${field}', and the question asks for others`,
    )
  }
  return { dimensions, conjuncts }
}

/** Whether the joins of the question find what a condition of the table reads where those of the build did. */
const isSameCondition = ({ leaves }: Conjunct, reading: TableReading): boolean =>
  reading.graph.pins.length === 0 ||
  leaves.every((leaf) => leaf.kind === 'where-field' && leaf.members.every((member) => isSameWay(member, reading)))

/** The rows of the table are groups of all rows of its data object, so nothing of a single row is known, and nothing of rows that connect with it. */
function faultOfRows(
  { measure, base }: ResolvedAggregate,
  { bridges, multiFact, weights = [], bridgeFilters, semiAdditive, conversions, inDays }: BlockRequest,
  reading: TableReading,
): Unread | undefined {
  const { name } = measure
  const own = reading.table.base.name
  if (base !== own) return unread('OTHER_BASE', name, `holds rows of '${own}', and '${name}' counts rows of '${base}'`)
  if (multiFact) return unread('NEEDS_ROWS', name, `'${name}' joins facts by single rows of '${own}'`)
  if (inDays) return unread('NEEDS_ROWS', name, `'${name}' is spread over the days of its data`)
  if (bridges.size > 0 || weights.length > 0 || bridgeFilters.length > 0)
    return unread('NEEDS_ROWS', name, `a row of '${own}' is in several groups of the question`)
  if ((conversions?.size ?? 0) > 0) return unread('NOT_ADDITIVE', name, `'${name}' counts rows that later rows follow`)
  if (semiAdditive) return unread('NOT_ADDITIVE', name, `'${name}' is no sum over times`)
  if (!isOfSameRows(reading))
    return unread('OTHER_BASE', name, `a join that the question pins restricts the rows of '${own}' in another way`)
  return undefined
}

/** Whether required joins, static filters and their ways are those of the build. */
function isOfSameRows({ graph, table, model }: TableReading): boolean {
  if (graph.pins.length === 0) return true
  const own = table.base.name
  const edgesOf = (of: typeof graph) =>
    [...of.reach(own)].flatMap((object) => of.edges(object).filter(({ required }) => required))
  const isSameWay = (object: string): boolean =>
    isSame(graph.path(own, object), table.graph.path(own, object)) &&
    graph.reach(own).has(object) === table.graph.reach(own).has(object)
  const ends = [...edgesOf(graph), ...edgesOf(table.graph)].flatMap(({ from, to }) => [from, to])
  return (
    isSame(edgesOf(graph), edgesOf(table.graph)) &&
    [...ends, ...model.filters.map(({ dataObject }) => dataObject)].every(isSameWay)
  )
}

/** A request for aggregates that are read from one table, in terms of its columns. Its rows are already those that the model leaves. */
export function requestOf(request: BlockRequest, read: NonEmpty<OfTable>): BlockRequest {
  const [{ dimensions, conjuncts }] = read
  return { ...request, dimensions, conjuncts, aggregates: read.map(({ aggregate }) => aggregate), isOfTable: true }
}
