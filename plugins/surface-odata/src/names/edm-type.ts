import type { DataType } from '@grainline/core/format'

/** A primitive type of the Entity Data Model, with its facets (Part 3, 6). */
export interface EdmType {
  readonly name: string
  readonly facets: Readonly<Record<string, number>>
}

/** The type that shows each value of `type`. A time without a zone has none in OData: it is shown as if its zone were UTC. */
export function edmTypeOf(type: DataType): EdmType {
  const facets = type.kind === 'decimal' ? { Precision: type.precision, Scale: type.scale } : FACETS[type.kind]
  return { name: `Edm.${NAMES[type.kind]}`, facets: facets ?? {} }
}

const NAMES: Readonly<Record<DataType['kind'], string>> = {
  string: 'String',
  json: 'String',
  boolean: 'Boolean',
  int: 'Int64',
  float: 'Double',
  decimal: 'Decimal',
  date: 'Date',
  time: 'TimeOfDay',
  timestamp: 'DateTimeOffset',
  timestamp_tz: 'DateTimeOffset',
}

const MICROSECONDS = { Precision: 6 }
const FACETS: Readonly<Partial<Record<DataType['kind'], Readonly<Record<string, number>>>>> = {
  time: MICROSECONDS,
  timestamp: MICROSECONDS,
  timestamp_tz: MICROSECONDS,
}
