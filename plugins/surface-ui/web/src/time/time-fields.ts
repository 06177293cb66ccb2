import type { Field } from '../model/fields.js'
import type { TimeField } from './time-range.js'

/** The times that a range of days can restrict: those with days, the coarser ones left out; dates before times of day. */
export function timeFieldsOf(fields: readonly Field[]): readonly TimeField[] {
  return fields
    .filter(({ isTime, grain }) => isTime && (grain === undefined || !COARSE.has(grain)))
    .map(({ name, type }) => ({ name, type }))
    .toSorted((a, b) => Number(b.type === 'date') - Number(a.type === 'date'))
}

const COARSE: ReadonlySet<string> = new Set(['week', 'month', 'quarter', 'year'])
