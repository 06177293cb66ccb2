import type { SemanticModel } from '@grainline/core'
import type { Report } from './report.js'

/** What a format says of the parts of a model that it has no place for. */
export interface RestOfModel {
  /** A text of the format, such as 'a semantic view'. */
  readonly text: string
  /** Why it has no views of a model. */
  readonly views: string
  /** Why a week may begin on another day there. */
  readonly weekStart: string
  /** Parts that the text says, beside the items of a model. */
  readonly said: ReadonlySet<string>
}

/** Reports each part of a model that has no place in a text with tables, fields and measures. */
export function reportRest(model: SemanticModel, report: Report, rest: RestOfModel): void {
  const reasons = reasonsOf(rest)
  reportLabels(model, report)
  for (const key of restOf(model)) {
    if (rest.said.has(key)) continue
    if (key === 'access') loseAccess(report, rest.text)
    else if (key === 'settings')
      for (const setting of Object.keys(model.document.settings ?? {})) settingLoss(setting, report, rest)
    else if (INERT.has(key)) report.lose('inert', [key], `'${key}' is not in the text: no number depends on it.`)
    else report.lose('refused', [key], `'${key}' is not in the text: ${reasons[key] ?? `${rest.text} has no place for it`}.`)
  }
}

/** Names of counts of rows say nothing where no rows are counted. */
function reportLabels({ document, measures }: SemanticModel, report: Report): void {
  const counted = new Set([...measures.values()].map(({ rowCountOf }) => rowCountOf))
  const objects = Object.entries(document.dataObjects ?? {})
  for (const [name, { countLabel }] of objects)
    if (countLabel !== undefined && !counted.has(name))
      report.lose(
        'inert',
        ['dataObjects', name, 'countLabel'],
        `'countLabel' is not in the text: rows of '${name}' are not counted.`,
      )
  if (
    document.countLabelPattern !== undefined &&
    !objects.some(([name, { countLabel }]) => countLabel === undefined && counted.has(name))
  )
    report.lose('inert', ['countLabelPattern'], "'countLabelPattern' is not in the text: it names no count of rows.")
}

/** The keys of a document that are no items, and are not merged or resolved into them. */
export const restOf = ({ document }: SemanticModel): readonly string[] =>
  Object.entries(document).flatMap(([key, value]) =>
    ITEMS.has(key) || (Array.isArray(value) && value.length === 0) ? [] : [key],
  )

/** Rules about who sees what refuse the export. */
export function loseAccess(report: Report, text: string): void {
  const message = `The access rules are left out: ${text} has none.`
  const hint = 'Restrict rows and columns by the policies and grants of the database, for the roles that use the text.'
  report.lose('refused', ['access'], message, { hint, isSecurity: true })
}

/** Counts of rows are measures. */
const ITEMS = new Set(
  'version dataObjects dimensions measures metrics segments filters extends inherits exposeCounts countLabelPattern'.split(' '),
)

const INERT = new Set('name owner synonyms connection decisions customExtensions tests examples rollups'.split(' '))

const reasonsOf = ({ text, views }: RestOfModel): Readonly<Record<string, string>> => ({
  views,
  parameters: `${text} has no parameters that are the same`,
  calendars: 'periods of a calendar are columns of a table there',
})

function settingLoss(setting: string, report: Report, { weekStart }: RestOfModel): void {
  const reasons: Readonly<Record<string, NumericSetting>> = {
    ...NUMERIC,
    weekStart: { why: weekStart, hint: 'Set the first day of a week where the text is used, or group by days.' },
  }
  const numeric = Object.hasOwn(reasons, setting) ? reasons[setting] : undefined
  const path = ['settings', setting]
  if (!numeric) report.lose('inert', path, `The setting '${setting}' is not in the text: no number depends on it.`)
  else report.lose('refused', path, `The setting '${setting}' is left out: ${numeric.why}.`, { hint: numeric.hint })
}

/** Why numbers depend on a setting, and what to do where the text is used. */
interface NumericSetting {
  readonly why: string
  readonly hint: string
}

const NUMERIC: Readonly<Record<string, NumericSetting>> = {
  defaultNumericDataType: {
    why: 'numbers are rounded to it here',
    hint: 'Round the numbers where they are shown.',
  },
  defaultTimezone: {
    why: 'times without a zone are read in it here',
    hint: 'Set this time zone in the sessions that use the text, or store times with their zone.',
  },
  queryTimezone: {
    why: 'instants are shown in it here',
    hint: 'Set this time zone in the sessions that use the text.',
  },
  strictFilters: {
    why: 'a filter that does not reach a measure is an error here, and leaves the measure as it is there',
    hint: 'Filter a measure only by fields to which the joins of its table lead.',
  },
}
