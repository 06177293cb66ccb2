/** Settings of a model, as written. */
import { type Static, Type } from 'typebox'
import { flag, maybe, text } from './parts.js'

export const settingsSchema = Type.Object(
  {
    defaultDialect: text('The dialect when a query names none.'),
    defaultNumericDataType: text('The type of sums and numeric metrics, such as decimal(18, 2).'),
    defaultTimezone: text('The time zone in which timestamps without zone are written.'),
    overrideDatabaseTimezone: flag('Ignore the time zone of the database.'),
    queryTimezone: text('The time zone in which instants are bucketed and shown.'),
    weekStart: maybe(['monday', 'sunday'], 'The first day of a week (monday).'),
    defaultLocale: text('The locale of formatted values.'),
    expressionMode: maybe(['permissive', 'portable'], 'Whether functions outside the catalogue are passed through (permissive).'),
    strictFilters: flag('A filter that does not reach a measure is an error.'),
    strictJoins: flag('A many-to-one or one-to-one join that does not end at a key of its target is an error.'),
    assumedJoins: flag(
      'Joins to data objects without keys are assumed: answers over them have a warning until `verify` has proved them.',
    ),
    strictUnits: flag('A value to which several units may contribute is an error (MIXED_UNITS), in place of a warning.'),
    mainFact: text(
      'The data object whose rows `SELECT *` and `COUNT(*)` read in SQL. Default: the one that most measures count.',
    ),
  },
  { description: 'Settings of the model.' },
)

export type SettingsDocument = Static<typeof settingsSchema>
