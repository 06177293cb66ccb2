/** Parts of the schemas of a document. */
import { type Static, Type } from 'typebox'
import { CALENDAR_UNITS, GRAIN_PATTERN, TIME_GRAINS } from '../grain.js'
import type { ParameterReference } from '../parameter.js'

export const text = (description: string) => Type.Optional(Type.String({ description }))

/** What `orMissing` of a filter does. */
export const orMissingSays =
  'With a negative operator or a negated group: rows for which it is unknown, for want of a value, remain, too (false).'

export const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

export const names = (description: string) => Type.Optional(Type.Array(Type.String(), { description }))

export const choice = <const T extends readonly string[]>(values: T, description: string) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], description })

export const maybe = <const T extends readonly string[]>(values: T, description: string) =>
  Type.Optional(choice(values, description))

export const scalarValue = Type.Unsafe<string | number | boolean | null>({
  type: ['string', 'number', 'boolean', 'null'],
  description: 'A value; dates are ISO text.',
})

export const refer = <T>(definition: string) => Type.Unsafe<T>({ $ref: `#/$defs/${definition}` })

export const described = {
  description: text('What this is, in the words of its readers.'),
  synonyms: names('Other names that people use for it.'),
  owner: text('Who answers questions about it.'),
}

export const FIELD_STATUSES = ['proposed', 'certified', 'deprecated'] as const
export type FieldStatus = (typeof FIELD_STATUSES)[number]

/** The status of a field. */
export const graded = {
  status: maybe(FIELD_STATUSES, 'proposed: not agreed yet; certified: agreed; deprecated: to be replaced.'),
  use: text('The field that replaces a deprecated one.'),
}

export const vendorNotes = {
  customExtensions: Type.Optional(
    Type.Array(Type.Object({ vendor: Type.String(), data: Type.Unknown() }), {
      description: 'Notes for other tools; kept but not used.',
    }),
  ),
}

/** Checked in the analysis, because a calendar of the model may add grains. */
export const grain = (description: string) =>
  Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      pattern: GRAIN_PATTERN,
      description: `${description} One of ${TIME_GRAINS.join(', ')}, or <calendar>_${CALENDAR_UNITS.join(', _')}.`,
    }),
  )

/** A unit as a text, or by the column or the parameter whose value names it. */
export type UnitDocument = string | { readonly column?: string; readonly dataObject?: string; readonly parameter?: string }

export const unit = (description: string) =>
  Type.Optional(
    Type.Unsafe<UnitDocument>({
      anyOf: [
        { type: 'string', minLength: 1 },
        Type.Object(
          {
            column: text('The column whose value names the unit of each row.'),
            dataObject: text('Its data object, if it is another one.'),
            parameter: text('In place of a column: the parameter whose value names the unit.'),
          },
          { description: 'What has the name of the unit as its value.' },
        ),
      ],
      description: `${description} Such as EUR, km, EUR/km or '%'; by a column, { column: Currency } or 'EUR/{Currency}'.`,
    }),
  )

export const columnPair = Type.Object(
  {
    dataObject: Type.String({ description: 'The data object.' }),
    column: Type.String({ description: 'A column of it.' }),
    ...vendorNotes,
  },
  { description: 'A column of a data object.' },
)

export const looseColumnPair = Type.Object(
  { dataObject: text('The data object.'), column: text('A column of it.'), ...vendorNotes },
  { description: 'A column of a data object.' },
)

export interface TypedValue {
  readonly dataType?: string
  readonly valueString?: string | null
  readonly valueInt?: number | string | null
  readonly valueFloat?: number | string | null
  readonly valueBoolean?: boolean | null
  readonly valueDate?: string | null
  /** In place of a value: the parameter that has it. */
  readonly parameter?: string
}

export type PlainValue = string | number | boolean | null

/** The value of a filter, or its values, each of which may be a parameter. */
export type WrittenValue = PlainValue | ParameterReference | readonly (PlainValue | ParameterReference)[]

const reference = Type.Object(
  { parameter: Type.String({ description: 'The name of a parameter.' }) },
  { description: 'The parameter that has the value.' },
)

export const writtenValue = Type.Unsafe<WrittenValue>({
  anyOf: [scalarValue, { type: 'array', items: { anyOf: [scalarValue, reference] } }, reference],
})

const valueSchema = Type.Object(
  {
    dataType: text('The type of the value.'),
    valueString: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
    valueInt: Type.Optional(Type.Unsafe<number | string | null>({ type: ['integer', 'string', 'null'] })),
    valueFloat: Type.Optional(Type.Unsafe<number | string | null>({ type: ['number', 'string', 'null'] })),
    valueBoolean: Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] })),
    valueDate: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
    parameter: text('In place of a value: the parameter that has it.'),
  },
  { description: 'A value with its type, or a parameter.' },
)

export const anyValue = Type.Unsafe<TypedValue | PlainValue>({ anyOf: [scalarValue, valueSchema] })

export type ColumnPairDocument = Static<typeof looseColumnPair>
