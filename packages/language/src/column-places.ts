/** The places of a data object where a column is named by itself: keys, intervals, calendars and trees. */
import { dotted, type Entry, type ModelText, type Segments, textOf } from './model-text.js'

const ofDataObject = (path: Segments, ...keys: readonly (string | undefined)[]): boolean =>
  path[0] === 'dataObjects' && keys.every((key, i) => key === undefined || path[i + 2] === key)

/** The object whose column the scalar of an entry names; undefined where it names none. */
export function objectOfNamedColumn({ path }: Entry, model: ModelText): string | undefined {
  const [object, key] = [String(path[1]), String(path.at(-1))]
  if (ofDataObject(path, 'uniqueKeys') && path.length === 5) return object
  if (ofDataObject(path, 'calendar', 'key') && path.length === 4) return object
  if (ofDataObject(path, 'closure') && path.length === 4 && (key === 'key' || key === 'parent'))
    return textOf(model.byPath.get(dotted([...path.slice(0, 3), 'dataObject']))?.value)
  if (ofDataObject(path, 'joins') && path.length === 6) return objectOfJoinedTime(path, model)
  return undefined
}

/** `during` has its interval on the other side, unless it says `interval: here`; `asOf` looks up the time of this side in the rows of the other. */
function objectOfJoinedTime(path: Segments, model: ModelText): string | undefined {
  const [form, key] = path.slice(4).map(String)
  const join = path.slice(0, 4)
  const isHere = textOf(model.byPath.get(dotted([...join, 'during', 'interval']))?.value) === 'here'
  const other = textOf(model.byPath.get(dotted([...join, 'joinTo']))?.value)
  const [ofTime, ofInterval] = form === 'during' && isHere ? [other, String(path[1])] : [String(path[1]), other]
  if (key === 'time' && (form === 'during' || form === 'asOf')) return ofTime
  const isOfInterval = key === 'to' ? form === 'during' || form === 'asOf' : key === 'from' && form === 'during'
  return isOfInterval ? ofInterval : undefined
}

/** Whether the key of an entry is a column of a calendar, which has the grain that its value says. */
export const isPeriodPath = (path: Segments): boolean => ofDataObject(path, 'calendar', 'periods') && path.length === 5

/** The columns that name periods which only a table of days knows, each with its data object. */
export function ownPeriods(model: ModelText): readonly { readonly object: string; readonly name: string }[] {
  return model.entries.flatMap(({ path, value }) =>
    isPeriodPath(path) && /^own: ?\d+$/.test(textOf(value) ?? '') ? [{ object: String(path[1]), name: String(path[4]) }] : [],
  )
}
