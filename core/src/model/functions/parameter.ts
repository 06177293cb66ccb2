import { type DataType, isNumeric, isTemporal } from '../data-type.js'

/**
 * What a function or an operator takes as an argument. `alike` and `comparable` arguments have one type together: numbers, or points in time,
 * or values of the same type; `comparable` ones have an order, which json has not.
 */
export type Parameter =
  | 'text'
  | 'as text'
  | 'number'
  | 'whole'
  | 'boolean'
  | 'moment'
  | 'clock'
  | 'clock of the unit'
  | 'json'
  | 'unit'
  | 'any'
  | 'alike'
  | 'comparable'

/** How messages and the reference name what is taken. */
export const PARAMETERS: Readonly<Record<Parameter, string>> = {
  text: 'texts',
  'as text': 'all values, each as CAST(… AS string) writes it',
  number: 'numbers',
  whole: 'whole numbers',
  boolean: 'conditions',
  moment: 'dates and timestamps',
  clock: 'dates, timestamps and times',
  'clock of the unit': 'dates and timestamps; times, if the unit is hour, minute or second',
  json: 'json, and texts that contain it',
  unit: 'time units',
  any: 'all values',
  alike: 'values of one type',
  comparable: 'values of one type that has an order',
}

/** Units that a time of day has. */
const CLOCK_UNITS: ReadonlySet<string | undefined> = new Set(['hour', 'minute', 'second'])

/** Whether a value of a type is taken as it is. `alike` and `comparable` depend on the other arguments. */
export function accepts(parameter: Parameter, type: DataType, unit: string | undefined): boolean {
  switch (parameter) {
    case 'text':
    case 'as text':
      return type.kind === 'string'
    case 'number':
      return isNumeric(type)
    case 'whole':
      return type.kind === 'int'
    case 'boolean':
      return type.kind === 'boolean'
    case 'moment':
      return isTemporal(type)
    case 'clock':
      return isTemporal(type) || type.kind === 'time'
    case 'clock of the unit':
      return isTemporal(type) || (type.kind === 'time' && CLOCK_UNITS.has(unit))
    case 'json':
      return type.kind === 'json' || type.kind === 'string'
    case 'unit':
    case 'any':
    case 'alike':
    case 'comparable':
      return true
  }
}

/** The parameter at a position; the last one repeats. */
export const parameterAt = (takes: readonly Parameter[], index: number): Parameter =>
  takes[Math.min(index, takes.length - 1)] ?? 'any'
