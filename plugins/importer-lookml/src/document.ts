/** Views and explores → a model, and the list of what the model does not say as it is written. */
import type { Imported, Loss } from '@grainline/core'
import { Draft, type Part, Refused, type Rule, reportAssumed, sqlReader, withRules } from '@grainline/importer-dbt/foreign'
import { exploresOf, joinsOf, rolesOf, shownOf } from './explores.js'
import { inherited } from './inherited.js'
import { KEYS, SECURITY } from './keys.js'
import { Measures } from './measures.js'
import { dimensionsOf } from './objects.js'
import { partOfItems } from './part-of-items.js'
import { filtersOf } from './rows-of-view.js'
import type { Item } from './text.js'
import type { WeekStart } from './timeframes.js'
import { viewsOf } from './views.js'

export async function documentOf(written: readonly Item[]): Promise<Imported> {
  const { items, missing } = inherited(written)
  const root = partOfItems(items)
  const start = written[0]?.place ?? { line: 1, column: 1 }
  const views = viewsOf(root)
  if (views.size === 0) throw new Refused('The text declares no view.', start, 'Add the files of the views.')
  oneConnection(root)
  const draft = new Draft(KEYS)
  for (const { item, message } of missing) draft.lose('refused', `${message}.`, item.place)
  const explores = exploresOf(root)
  const weekStart = weekStartOf(root, draft)
  const sql = await sqlReader()
  const context = new Measures(rolesOf(views, explores, draft, sql), draft, sql, weekStart)
  dimensionsOf(context)
  const joined = joinsOf(explores, context)
  context.write()
  const shown = shownOf(joined, context)
  reportAssumed(context)
  const settings = { ...draft.settings, ...(weekStart === 'sunday' && { weekStart }) }
  leaveAsked(root, draft)
  draft.unread([root])
  draft.lose(
    'rewritten',
    'A filter that does not reach a measure is an error (settings.strictFilters). In Looker it restricts every measure.',
    start,
    { path: ['settings', 'strictFilters'] },
  )
  if ([...views.values()].some(({ part }) => part.parts('dimension_group').some((each) => each.text('convert_tz') !== 'no')))
    draft.lose(
      'rewritten',
      'Times are grouped as they are stored. Looker converts them to the time zone of the question, unless convert_tz is no.',
      start,
      { path: [] },
    )
  const { dataObjects, dimensions, measures, metrics, places } = draft
  const filters = filtersOf(context.owners)
  return {
    document: {
      version: 1,
      settings,
      ...(filters.length > 0 && { filters }),
      dataObjects,
      dimensions,
      measures,
      metrics,
      ...(Object.keys(shown).length > 0 && { views: shown }),
    },
    places,
    losses: draft.withPaths(withRules(once(draft.losses), rulesOf(written)), (place) => root.around(place)),
  }
}

/** Fields whose value is that of a question. */
function leaveAsked(root: Part, draft: Draft): void {
  for (const view of root.parts('view'))
    for (const key of ['filter', 'parameter'])
      for (const part of view.parts(key)) {
        draft.leave(part.place)
        draft.lose(
          'refused',
          `The ${key} '${view.text('name')}.${part.text('name')}' is left out: its value is known only when a query is asked.`,
          part.place,
          {
            hint: 'Write a parameter of the model.',
          },
        )
      }
}

const WEEKDAYS = new Set(['monday', 'sunday'])

function weekStartOf(root: Part, draft: Draft): WeekStart {
  const [day, ...others] = new Set(root.texts('week_start_day'))
  if (others.length > 0 || (day !== undefined && !WEEKDAYS.has(day)))
    draft.lose('refused', `Weeks begin on Monday here, and not on ${[day, ...others].join(' or ')}.`, root.at('week_start_day'))
  return day === 'sunday' && others.length === 0 ? day : 'monday'
}

/** A model of this server has one connection. */
function oneConnection(root: Part): void {
  const [first, other] = new Set(root.texts('connection'))
  if (first !== undefined && other !== undefined)
    throw new Refused(
      `The connections '${first}' and '${other}' are two: a model is one connection.`,
      root.at('connection'),
      'Convert the models of each connection into a separate model.',
    )
}

/** A view under several names, and what is inherited, has each line once. */
function once(losses: readonly Loss[]): readonly Loss[] {
  const seen = new Set<string>()
  return losses.filter(({ message, place }) => {
    const key = `${place?.line}:${place?.column}:${message}`
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

/** Rules of everything that the text declares, also of what nothing uses. */
function rulesOf(items: readonly Item[]): readonly Rule[] {
  return items.flatMap((item) => [
    ...(SECURITY.test(item.key) || ASKER.test(item.text ?? '') ? [item] : []),
    ...rulesOf(item.block ?? []),
  ])
}

/** SQL that reads who asks. */
const ASKER = /_user_attributes/i
