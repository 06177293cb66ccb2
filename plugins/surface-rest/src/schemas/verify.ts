import { Type } from '@grainline/core'
import { ErrorDetail, nullable, strings } from './common.js'

const value = Type.Unsafe<unknown>({ type: ['string', 'number', 'boolean', 'null'] })
const examples = Type.Array(Type.Unsafe<unknown>({ anyOf: [value, { type: 'array', items: value }] }), {
  maxItems: 5,
  description: 'Keys; a key of several columns is an array.',
})
const count = Type.Integer({ minimum: 0 })

export const Verified = Type.Object(
  {
    model: nullable(Type.String()),
    checked_at: Type.String(),
    status: Type.Unsafe<'ok' | 'findings'>({ type: 'string', enum: ['ok', 'findings'] }),
    objects: Type.Array(
      Type.Object({ name: Type.String(), key: strings, rows: count, duplicate_keys: count, null_keys: count, examples }),
    ),
    edges: Type.Array(
      Type.Object({
        from_object: Type.String(),
        to_object: Type.String(),
        columns_from: strings,
        columns_to: strings,
        join_type: Type.String(),
        path_name: nullable(Type.String()),
        foreign_key: Type.Unsafe<'declared' | 'possible' | 'no'>({
          type: 'string',
          enum: ['declared', 'possible', 'no'],
          description: 'possible: each row whose link is not NULL matches a row.',
        }),
        rows: count,
        without_parent: count,
        missing_parents: count,
        null_links: count,
        duplicate_targets: count,
        ties: Type.Optional(count),
        duplicate_sources: count,
        examples,
        duplicate_examples: examples,
      }),
    ),
    weights: Type.Array(
      Type.Object({
        bridge: Type.String(),
        to_object: Type.String(),
        columns: strings,
        weight: Type.String(),
        groups: count,
        off: count,
        examples,
      }),
    ),
    arrays: Type.Array(
      Type.Object({
        name: Type.String(),
        data_object: Type.String(),
        column: Type.String(),
        rows: count,
        not_arrays: Type.Integer({ minimum: 0, description: 'Rows whose value is JSON, but no array.' }),
      }),
    ),
    sorts: Type.Array(
      Type.Object({
        dimension: Type.String(),
        data_object: Type.String(),
        sort_by: Type.String(),
        values: count,
        several: Type.Integer({ minimum: 0, description: 'Values that rows put at several places.' }),
        examples,
      }),
    ),
    calendars: Type.Array(
      Type.Object({
        name: Type.String(),
        key: Type.String(),
        days: count,
        missing: Type.Integer({ minimum: 0, description: 'Runs of days that are missing between the first and the last one.' }),
        examples,
        periods: Type.Array(
          Type.Object({
            column: Type.String(),
            period: Type.String(),
            periods: count,
            several_values: Type.Integer({ minimum: 0, description: 'Periods whose days have several values.' }),
            examples,
            several_periods: Type.Integer({ minimum: 0, description: 'Values on days of several periods.' }),
            value_examples: examples,
            in_pieces: Type.Optional(
              Type.Integer({ minimum: 0, description: 'Values of a period of the table itself whose days do not adjoin.' }),
            ),
            piece_examples: Type.Optional(examples),
            longer: Type.Optional(Type.String({ description: 'The column of the next longer periods of the table.' })),
            across: Type.Optional(Type.Integer({ minimum: 0, description: 'Values that lie in several of the longer periods.' })),
            across_examples: Type.Optional(examples),
          }),
        ),
      }),
    ),
    trees: Type.Array(
      Type.Object({
        name: Type.String(),
        data_object: Type.String(),
        key: Type.String(),
        parent: Type.String(),
        rows: count,
        deepest: Type.Integer({ minimum: 0, description: 'The most steps from a row to one below it.' }),
        missing_parents: Type.Integer({ minimum: 0, description: 'Distinct parents that are the key of no row.' }),
        examples,
        without_root: Type.Integer({ minimum: 0, description: 'Rows on a circle, or below one.' }),
        circle_examples: examples,
      }),
    ),
    dimensions: Type.Array(Type.Object({ name: Type.String(), distinct: count, rows: count })),
    measures: Type.Array(
      Type.Object({
        name: Type.String(),
        type: Type.String(),
        rows: count,
        min: nullable(Type.String()),
        max: nullable(Type.String()),
        bound: Type.String({ description: 'The largest absolute value that a sum of these rows can have.' }),
        limit: Type.String({ description: 'The greatest number of the type.' }),
      }),
    ),
    findings: Type.Array(ErrorDetail),
  },
  { title: 'VerifyReport' },
)

export const TableCheck = Type.Object(
  {
    dialect: Type.String({ description: 'The dialect of the database.' }),
    columns: Type.Array(
      Type.Object({
        data_object: Type.String(),
        column: Type.String(),
        code: Type.String({ description: 'Its name in the database.' }),
        declared: Type.String({ description: 'The type that the model declares.' }),
        stored: Type.Optional(
          Type.String({ description: 'The type as the database spells it; absent where there is no such column.' }),
        ),
        collation: Type.Optional(Type.String({ description: 'Present if the column treats different texts as equal.' })),
      }),
    ),
    findings: Type.Array(ErrorDetail),
  },
  { title: 'TableReport' },
)
