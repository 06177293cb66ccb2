/** Filters of measures: conditions on dimensions, in the words of LookML. */
import { type Entry, LeftOut, type Part } from '@grainline/importer-dbt/foreign'
import { dimensionNamed, rowValue } from './columns.js'
import { type Context, type Role, roleNamed } from './context.js'
import { conditionOn, type FilterKind } from './filter-expression.js'
import { refuseLiquid } from './liquid.js'

export function filtersOf(role: Role, part: Part, context: Context): Entry {
  const filters = part.parts('filters').flatMap((each): readonly Entry[] => {
    // Older texts have a block with the names of several filters.
    const value = each.text('value') ?? ''
    refuseLiquid(value, 'value', each)
    const expression = conditionOf(each.needed('field'), value, role, each, context)
    return expression === undefined ? [] : [{ expression }]
  })
  if (filters.length === 0) return {}
  context.draft.noteFiltered('Looker', part.at('filters'))
  return { filters }
}

function conditionOf(field: string, value: string, from: Role, part: Part, context: Context): string | undefined {
  const [first = '', second] = field.split('.')
  const role = second === undefined ? from : roleNamed(first, context)
  const member = second ?? first
  const kind = kindOf(role, member)
  const use = kind === 'number' ? 'number' : kind === 'yesno' ? 'boolean' : kind === 'time' ? 'time' : undefined
  try {
    return conditionOn(rowValue(member, role, context, use), value, kind)
  } catch (error) {
    if (!(error instanceof LeftOut)) throw error
    throw new LeftOut(error.message, error.place ?? part.place, error.hint)
  }
}

function kindOf(role: Role, member: string): FilterKind {
  const { part, timeframe, interval } = dimensionNamed(member, role)
  if (interval !== undefined) return 'number'
  if (timeframe !== undefined)
    return /_(num|index)$|_of_(month|year|day)$/.test(timeframe)
      ? 'number'
      : /name$|_of_/.test(timeframe) || timeframe === 'day_of_week'
        ? 'string'
        : 'time'
  const type = part.text('type') ?? 'string'
  if (type === 'tier' || type === 'bin')
    throw new LeftOut(`'${member}' is a tier, and a filter of a measure is on what it groups`, undefined, 'Filter the number.')
  return type === 'yesno' ? 'yesno' : type === 'number' ? 'number' : 'string'
}
