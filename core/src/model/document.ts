/** The document as written. Its TypeBox schema, here and in `document/`, is the only definition of its shape. */
import { type Static, Type } from 'typebox'
import { accessSchema, policyFilterSchema } from './document/access.js'
import { calendarSchema } from './document/calendar.js'
import { dataObjectSchema } from './document/data-object.js'
import { decisionSchema } from './document/decision.js'
import { dimensionSchema } from './document/dimension.js'
import { segmentSchema, staticFilterSchema } from './document/filter.js'
import { measureFilterSchema, measureSchema } from './document/measure.js'
import { metricSchema } from './document/metric.js'
import { parameterSchema } from './document/parameter.js'
import { described, flag, names, text, vendorNotes } from './document/parts.js'
import { rollupSchema } from './document/rollup.js'
import { settingsSchema } from './document/settings.js'
import { exampleSchema, testSchema } from './document/test.js'
import { viewSchema } from './document/view.js'

export { type CalendarDocument, WEEKDAYS } from './document/calendar.js'
export type {
  CalendarTableDocument,
  ClosureDocument,
  ColumnDocument,
  DataObjectDocument,
  JoinDocument,
  RefreshDocument,
  WindowColumnFunction,
  WindowDocument,
} from './document/data-object.js'
export type { DimensionDocument } from './document/dimension.js'
export type { StaticFilterDocument } from './document/filter.js'
export { AGGREGATION_NAMES, type MeasureDocument, type MeasureFilterDocument } from './document/measure.js'
export type { MetricDocument } from './document/metric.js'
export type { ParameterDocument } from './document/parameter.js'
export type { ColumnPairDocument, FieldStatus, PlainValue, TypedValue, UnitDocument, WrittenValue } from './document/parts.js'
export type { RollupDocument } from './document/rollup.js'
export type { SettingsDocument } from './document/settings.js'
export type { ExpectDocument, TestDocument } from './document/test.js'

export const modelSchema = Type.Object(
  {
    version: Type.Optional(
      Type.Unsafe<number | string>({ type: ['number', 'string'], description: 'The version of the format, 1.0.' }),
    ),
    name: text('The name of the model.'),
    description: described.description,
    owner: described.owner,
    synonyms: described.synonyms,
    settings: Type.Optional(settingsSchema),
    dataObjects: Type.Optional(Type.Record(Type.String(), dataObjectSchema, { description: 'Data objects by name.' })),
    dimensions: Type.Optional(Type.Record(Type.String(), dimensionSchema, { description: 'Dimensions by name.' })),
    measures: Type.Optional(Type.Record(Type.String(), measureSchema, { description: 'Measures by name.' })),
    metrics: Type.Optional(Type.Record(Type.String(), metricSchema, { description: 'Metrics by name.' })),
    filters: Type.Optional(Type.Array(staticFilterSchema, { description: 'Conditions on every query.' })),
    examples: Type.Optional(Type.Array(exampleSchema, { description: 'Questions that the model answers.' })),
    decisions: Type.Optional(Type.Array(decisionSchema, { description: 'Questions about the rows, and their answers.' })),
    exposeCounts: flag('Offer a row count for every countable data object (true).'),
    countLabelPattern: text('The name of row counts ({object} Count).'),
    extends: names('Fragments that add dimensions, measures, metrics, filters and examples.'),
    inherits: text('The parent model.'),
    segments: Type.Optional(Type.Record(Type.String(), segmentSchema, { description: 'Named filters.' })),
    rollups: Type.Optional(
      Type.Record(Type.String(), rollupSchema, { description: 'Tables with the answers of queries, by name.' }),
    ),
    views: Type.Optional(Type.Record(Type.String(), viewSchema, { description: 'Selections of fields, by name.' })),
    parameters: Type.Optional(Type.Record(Type.String(), parameterSchema, { description: 'Values that queries give, by name.' })),
    calendars: Type.Optional(Type.Record(Type.String(), calendarSchema, { description: 'Calendars with grains of their own.' })),
    tests: Type.Optional(Type.Array(testSchema, { description: 'Queries with expected results.' })),
    access: Type.Optional(accessSchema),
    connection: text('Which configured vendor runs it.'),
    ...vendorNotes,
  },
  {
    $id: 'grainline-model',
    title: 'Grainline semantic model',
    description: 'A semantic model: data objects and joins, and the dimensions, measures and metrics over them.',
    $defs: { MeasureFilter: measureFilterSchema, PolicyFilter: policyFilterSchema },
  },
)

/** A model as its author writes it, parsed and merged; names are not resolved yet. `docs/reference/model-format.md` describes each key. */
export type ModelDocument = Static<typeof modelSchema>
