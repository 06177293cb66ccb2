/** Columns that tables store with another type than the model declares. */
import type { ColumnJson, FilterJson, Json, ModelJson, QueryJson, WrittenJson } from '../model.js'
import { FLAGS, type Storage, storageOf } from '../storage.js'
import { kindOf } from '../world.js'
import { STRINGS, UUIDS } from './pools.js'
import type { Random } from './random.js'

/** Storage types that the compiler cannot guess and must know. */
const MUST_BE_KNOWN: readonly Storage[] = ['nocase', 'instant', 'smallint', 'numeric']

/** In half of the models some columns; elements of arrays are stored as declared. */
export function withStorage(random: Random, model: ModelJson): ModelJson {
  if (random.chance(0.5)) return model
  const objects = Object.entries(model.dataObjects).map(([name, object]) => {
    if (object.nestedIn) return [name, object] as const
    const columns = Object.entries(object.columns).map(
      ([column, c]) => [column, c.code === undefined || column === object.weight ? c : stored(random, c)] as const,
    )
    return [name, { ...object, columns: Object.fromEntries(columns) }] as const
  })
  return { ...model, dataObjects: Object.fromEntries(objects) }
}

function stored(random: Random, column: ColumnJson): ColumnJson {
  const choices = choicesFor(column)
  if (choices.length === 0 || random.chance(0.4)) return column
  const storage = random.pick(choices)
  const mark = MUST_BE_KNOWN.includes(storage) || random.chance(0.7) ? '~' : '?'
  const trueValues = FLAGS[storage]
  return { ...column, code: `${column.code} ${mark}${storage}`, ...(trueValues && { trueValues }) }
}

function choicesFor(column: ColumnJson): readonly Storage[] {
  if (column.abstractType === 'timestamp_tz') return []
  switch (kindOf(column)) {
    case 'string':
      return /part/.test(column.code!) ? ['nocase'] : ['uuid', 'enum', 'nocase']
    case 'int':
      return ['smallint', 'integer']
    case 'float':
      return ['integer', 'real', 'numeric']
    case 'date':
      return ['moment', 'instant']
    case 'timestamp':
      return ['instant']
    case 'boolean':
      return ['letter', 'digit']
    default:
      return []
  }
}

/** Some of the texts that are compared with a UUID field are UUIDs. */
export function comparedWithUuids(model: ModelJson, query: QueryJson): QueryJson {
  if (query.where === undefined) return query
  return { ...query, where: query.where.map((one) => compared(model, one)) }
}

function compared<T extends WrittenJson | FilterJson>(model: ModelJson, one: T): T {
  if (typeof one !== 'object') return one
  if ('filters' in one) return { ...one, filters: one.filters.map((f) => compared(model, f)) }
  if (!('field' in one) || !('value' in one) || one.op.startsWith('exists') || !isUuid(model, one.field)) return one
  return { ...one, value: Array.isArray(one.value) ? one.value.map(asUuid) : asUuid(one.value as Json) }
}

function isUuid({ dimensions = {}, dataObjects }: ModelJson, field: string): boolean {
  const dimension = dimensions[field]
  const column = dimension
    ? dataObjects[dimension.dataObject]?.columns[dimension.column ?? '']
    : Object.entries(dataObjects).flatMap(([name, { columns }]) =>
        field.startsWith(`${name}.`) ? [columns[field.slice(name.length + 1)]] : [],
      )[0]
  return column !== undefined && storageOf(column)?.storage === 'uuid'
}

function asUuid(value: Json): Json {
  const at = (STRINGS as readonly Json[]).indexOf(value)
  return at >= 0 && at % 2 === 0 ? UUIDS[(at / 2) % UUIDS.length]! : value
}
