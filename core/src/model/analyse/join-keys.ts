import { entryOf } from '../../invariant.js'
import { asOfOf, comparedOf, type Term } from '../join-term.js'
import { type DataObject, type Join, keysOf, type ModelSettings } from '../semantic-model.js'
import type { Context } from './context.js'

/** Reports joins to one row that do not end at a key of their target: a row may then meet several, and be counted several times. */
export function warnOfJoinsWithoutKey(objects: Objects, strict: boolean, { faults }: Context): void {
  for (const join of joinsWithoutKey({ dataObjects: objects })) {
    const source = entryOf(objects, join.from)
    const segments = ['dataObjects', join.from, 'joins', source.joins.indexOf(join), 'columnsTo']
    const message = messageOf(join, entryOf(objects, join.to))
    if (strict) faults.error('JOIN_NOT_TO_A_KEY', segments, message)
    else faults.warn('JOIN_NOT_TO_A_KEY', segments, message)
  }
}

type Objects = ReadonlyMap<string, DataObject>

/** The joins to one row that contain no declared key of their target. Elements of arrays join by the key of the row around them. */
const joinsWithoutKey = ({ dataObjects }: { readonly dataObjects: Objects }, isAssumed = false): readonly Join[] =>
  [...dataObjects.values()].flatMap(({ joins, nestedIn }) =>
    joins.filter((join) => {
      const target = dataObjects.get(join.to)
      return target !== undefined && nestedIn?.dataObject !== join.to && !endsAtKey(join, target, isAssumed)
    }),
  )

/** The joins whose cardinality nothing but the data can prove. */
export const unprovedJoins = ({
  dataObjects,
  settings,
}: {
  readonly dataObjects: Objects
  readonly settings: Pick<ModelSettings, 'assumedJoins'>
}): readonly Join[] => joinsWithoutKey({ dataObjects }, settings.assumedJoins)

/** Whether the joined columns contain a key of the target. An object without keys says nothing about its rows, unless joins to it are assumed. */
function endsAtKey({ cardinality, on }: Join, target: DataObject, isAssumed: boolean): boolean {
  const keys = keysOf(target)
  const columnsTo = identifying(on)
  if (cardinality === 'many-to-many') return true
  if (keys.length === 0) return !isAssumed
  return keys.some((key) => key.every((column) => columnsTo.includes(column)))
}

/** The columns of the target that may identify the row: those that are equal, and where its interval begins. */
const identifying = (on: readonly Term<string>[]): readonly string[] =>
  on.flatMap((term) => (term.kind === 'within' && term.interval === 'to' ? [term.start.at] : comparedOf([term], 'to')))

function messageOf({ from, to, cardinality, on }: Join, target: DataObject): string {
  const columnsTo = identifying(on)
  const [key = []] = keysOf(target)
  const missing = key.filter((column) => !columnsTo.includes(column))
  const keys = keysOf(target).map((each) => each.join(', '))
  if (asOfOf(on))
    return (
      `The join from '${from}' to '${to}' finds a row by ${columnsTo.join(', ')}, which is no key of '${to}' (${keys.join('; ')}): ` +
      `of several rows of one time, the one with the greatest key is found. Declare uniqueKeys: [[${columnsTo.join(', ')}]] on '${to}' if there is one at each time; ` +
      `or add ${named(missing)} to columnsTo, and the matching columns to columnsFrom`
    )
  return (
    `The join from '${from}' to '${to}' is ${cardinality}, but ends at ${columnsTo.join(', ')}, which is no key of '${to}' (${keys.join('; ')}): ` +
    `a row of '${from}' may meet several rows and count several times. Add ${named(missing)} to columnsTo, and the matching columns to columnsFrom; ` +
    `or declare uniqueKeys: [[${columnsTo.join(', ')}]] on '${to}' if each value is on one row; or make the join many-to-many`
  )
}

const named = (columns: readonly string[]): string => columns.map((column) => `'${column}'`).join(' and ')
