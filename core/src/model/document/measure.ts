/** Measures, as written. */
import { type Static, Type } from 'typebox'
import {
  anyValue,
  choice,
  described,
  flag,
  graded,
  looseColumnPair,
  maybe,
  names,
  orMissingSays,
  type PlainValue,
  refer,
  type TypedValue,
  text,
  unit,
  vendorNotes,
  type WrittenValue,
  writtenValue,
} from './parts.js'

export interface MeasureFilterDocument {
  readonly column?: { readonly dataObject?: string; readonly column?: string }
  readonly operator?: string
  readonly values?: readonly (TypedValue | PlainValue)[]
  readonly field?: string
  readonly op?: string
  readonly value?: WrittenValue
  readonly expression?: string
  readonly logic?: 'and' | 'or'
  readonly filters?: readonly MeasureFilterDocument[]
  readonly negated?: boolean
  readonly orMissing?: boolean
  readonly subquery?: SubqueryDocument
}

export interface SubqueryDocument {
  readonly dataObject: string
  readonly pathName?: string
  readonly filter?: readonly MeasureFilterDocument[]
}

const subquerySchema = Type.Object(
  {
    dataObject: Type.String({ description: 'The data object whose rows are looked for.' }),
    pathName: text('The name of a join that the way to it must use.'),
    filter: Type.Optional(
      Type.Array(refer<MeasureFilterDocument>('MeasureFilter'), { description: 'Conditions on these rows; all must hold.' }),
    ),
  },
  { description: 'For exists and nonexists: the rows that connect with a row of the field.' },
)

export const measureFilterSchema = Type.Object(
  {
    column: Type.Optional(looseColumnPair),
    operator: text('The comparison.'),
    values: Type.Optional(Type.Array(anyValue, { description: 'The values that the column is compared with.' })),
    field: text("Short form of column: 'Object.Column'."),
    op: text('Short form of operator.'),
    value: Type.Optional(writtenValue),
    expression: text('In place of all of these: a condition over columns, such as {[Orders].[Paid]} < {[Orders].[Due]}.'),
    logic: maybe(['and', 'or'], 'How the filters of a group combine (and).'),
    filters: Type.Optional(Type.Array(refer<MeasureFilterDocument>('MeasureFilter'), { description: 'The members of a group.' })),
    negated: flag('The opposite of the group.'),
    orMissing: flag(orMissingSays),
    subquery: Type.Optional(subquerySchema),
  },
  { description: 'A condition on the rows of one measure, or a group of such.' },
)

/** Which part of the query a measure sees: its dimensions or their filters. */
const contextSchema = (says: Readonly<Record<'mode' | 'include' | 'exclude' | 'keepOnly' | 'description', string>>) =>
  Type.Object(
    {
      mode: maybe(['FIXED', 'RELATIVE', 'fixed', 'relative'], says.mode),
      include: names(says.include),
      exclude: names(says.exclude),
      keepOnly: names(says.keepOnly),
    },
    { description: says.description },
  )

const grainSchema = contextSchema({
  mode: 'FIXED starts from nothing, RELATIVE from the query.',
  include: 'Dimensions that are added.',
  exclude: 'Dimensions that are taken away.',
  keepOnly: 'Dimensions that are kept.',
  description: 'The grain at which the measure is computed.',
})

const filterContextSchema = contextSchema({
  mode: 'FIXED starts from no filter, RELATIVE from those of the query.',
  include: 'Dimensions whose filters apply as well.',
  exclude: 'Dimensions whose filters do not apply.',
  keepOnly: 'Dimensions whose filters alone apply.',
  description: "Which of the query's filters apply to the measure.",
})

const orderEntry = Type.Object(
  { column: looseColumnPair, order: maybe(['asc', 'desc', 'ASC', 'DESC'], 'asc or desc.') },
  { description: 'An order of rows.' },
)

const withinGroupSchema = Type.Object(
  { column: looseColumnPair, order: maybe(['asc', 'desc', 'ASC', 'DESC'], 'asc or desc.') },
  { description: 'The order of the values of a listagg.' },
)

export const AGGREGATION_NAMES = [
  'sum',
  'count',
  'count_distinct',
  'avg',
  'min',
  'max',
  'any_value',
  'median',
  'mode',
  'listagg',
  'stddev',
  'stddev_samp',
  'stddev_pop',
  'variance',
  'var_samp',
  'var_pop',
  'corr',
  'covar_pop',
  'covar_samp',
  'regr_slope',
  'regr_intercept',
  'percentile',
  'approx_count_distinct',
  'first',
  'last',
  'count_if',
  'bool_and',
  'bool_or',
] as const

export const measureSchema = Type.Object(
  {
    aggregation: Type.String({ description: `${AGGREGATION_NAMES.join(', ')}, or one that a plugin adds.` }),
    columns: Type.Optional(Type.Array(looseColumnPair, { description: 'The inputs. Exactly one of columns and expression.' })),
    expression: text('A formula over {[Object].[Column]}.'),
    distinct: flag('Only different values count.'),
    resultType: text('The type of the result.'),
    dataType: text(
      'The type of the displayed column: decimal(p, s), bigint, integer, double, date, timestamp, time, string, boolean.',
    ),
    filters: Type.Optional(
      Type.Array(refer<MeasureFilterDocument>('MeasureFilter'), { description: 'Conditions on the rows of this measure alone.' }),
    ),
    filter: Type.Optional(refer<MeasureFilterDocument>('MeasureFilter')),
    total: flag('The grand total, on every row.'),
    grain: Type.Optional(grainSchema),
    filterContext: Type.Optional(filterContextSchema),
    anchor: text('The data object at whose rows the measure is evaluated.'),
    allowFanOut: flag('Count a row once per joined row.'),
    defaultValue: Type.Optional(
      Type.Unsafe<string | number | boolean>({
        type: ['string', 'number', 'boolean'],
        description: 'The value that replaces NULL.',
      }),
    ),
    delimiter: text('Between the values of a listagg.'),
    withinGroup: Type.Optional(withinGroupSchema),
    orderBy: Type.Optional(Type.Array(orderEntry, { description: 'The order of rows for first and last.' })),
    percentile: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'The fraction, such as 0.95.' })),
    semiAdditive: Type.Optional(
      Type.Object(
        {
          timeDimension: Type.String({ description: 'The time dimension over which values do not add up.' }),
          take: choice(['last', 'first', 'avg', 'min', 'max'], 'Which value represents a span of time.'),
          per: names('The entities whose values are summed.'),
        },
        { description: 'A balance: not summed over time.' },
      ),
    ),
    format: text('How values are shown.'),
    unit: unit('The unit of its values, if it does not follow from those of its columns.'),
    hidden: flag('Usable in queries and in expressions, but not offered.'),
    ...described,
    ...graded,
    ...vendorNotes,
  },
  { description: 'An aggregate over the rows of one fact.' },
)

export type MeasureDocument = Static<typeof measureSchema>
