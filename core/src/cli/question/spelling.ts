import type { ModelSchema } from '@grainline/client'
import { didYouMean, nearest } from '../../nearest.js'
import { UsageError } from '../command.js'

/** A field with the names that a query may use for it. */
export interface KnownField {
  readonly name: string
  readonly kind: 'dimension' | 'measure' | 'column'
  readonly type: string
}

export function fieldsOf({ dimensions, measures, metrics, data_objects }: ModelSchema): readonly KnownField[] {
  return [
    ...dimensions.map(({ name, result_type }) => ({ name, kind: 'dimension' as const, type: result_type })),
    ...measures.map(({ name, result_type }) => ({ name, kind: 'measure' as const, type: result_type ?? 'float' })),
    ...metrics.map(({ name, result_type }) => ({ name, kind: 'measure' as const, type: result_type ?? 'float' })),
    ...data_objects.flatMap(({ name, columns }) =>
      columns.map((column) => ({ name: `${name}.${column.name}`, kind: 'column' as const, type: column.abstract_type })),
    ),
  ]
}

/** The field that a name on the command line denotes: in the spelling of the model, or as `flight_count`, `flight-count` or `flightcount`. */
export function findField(text: string, fields: readonly KnownField[]): KnownField | undefined {
  const exact = fields.find(({ name }) => name === text)
  if (exact !== undefined) return exact
  const folded = fold(text)
  const alike = fields.filter(({ name }) => fold(name) === folded)
  return alike.length === 1 || new Set(alike.map(({ name }) => name)).size === 1 ? alike[0] : undefined
}

const fold = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '')

/** `Name` or `Name:grain` in the spelling of the model. */
export function spelled(text: string, fields: readonly KnownField[]): string {
  const whole = findField(text, fields)
  if (whole !== undefined) return whole.name
  const colon = text.lastIndexOf(':')
  const field = colon > 0 ? findField(text.slice(0, colon), fields) : undefined
  if (field !== undefined) return `${field.name}${text.slice(colon)}`
  const names = fields.filter(({ kind }) => kind !== 'column').map(({ name }) => name)
  throw new UsageError(`'${text}' is not a field of this model${didYouMean(nearest(text, names, 1))}`)
}

/** A list with commas, unless the whole text is one name. */
export function spelledList(texts: readonly string[], fields: readonly KnownField[]): readonly string[] {
  return texts.flatMap((text) => {
    const one = findField(text, fields)
    return one !== undefined ? [one.name] : text.split(',').map((part) => spelled(part.trim(), fields))
  })
}
