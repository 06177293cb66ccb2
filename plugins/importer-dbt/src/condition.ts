/** Conditions of dbt: a SQL text in which templates name fields. */
import { LeftOut } from './draft.js'
import type { ModelObject, Objects } from './model-object.js'
import { assumed, GRAINS, physicalReference, reference } from './objects.js'
import type { Condition } from './project.js'
import { modelExpression, type Use } from './sql-expression.js'

const TEMPLATE = /\{\{([^{}]*)\}\}/g
const CALL =
  /^\s*(Dimension|TimeDimension|Entity|Metric)\(\s*(['"])([^'"]*)\2\s*(?:,\s*(['"])([^'"]*)\4\s*)?(?:,[^()]*)?\)\s*(?:\.grain\(\s*(['"])([^'"]*)\6\s*\)\s*)?$/

/** The condition over the columns of the model, for a measure of `base`. */
export async function conditionExpression({ text, place }: Condition, base: ModelObject, objects: Objects): Promise<string> {
  if (text.includes(FIELD)) throw new LeftOut(`a filter may not contain '${FIELD}'`, place)
  const fields: Field[] = []
  const sql = text.replaceAll(TEMPLATE, (_whole, inside: string) => {
    fields.push(fieldOf(inside, base, objects))
    return ` ${FIELD}${fields.length - 1} `
  })
  if (/\{[{%#]|[%#}]\}/.test(sql)) throw new LeftOut('the filter has a template that is no field', place)
  return modelExpression(
    sql,
    (words, use) => {
      const [word = ''] = words
      const field = word.startsWith(FIELD) && words.length === 1 ? fields[Number(word.slice(FIELD.length))] : undefined
      return field === undefined ? physicalReference(words, base, use) : field(use)
    },
    'boolean',
  )
}

/** No column begins with it: a text that does is refused before it is read. */
const FIELD = 'grainline_field_'

/** A field, and the note of what its type must be. */
type Field = (use: Use) => string

function fieldOf(template: string, base: ModelObject, objects: Objects): Field {
  const [, kind, , name = '', , second, , third] = CALL.exec(template) ?? []
  if (kind === undefined) throw new LeftOut(`the template {{${template}}} is no field`)
  if (kind === 'Metric') throw new LeftOut('a filter by the value of a metric has no place in a measure')
  const path = name.split('__')
  if (kind === 'Entity') {
    const entity = path.at(-1) ?? ''
    const owner = path.length === 1 && base.entities.has(entity) ? base : objects.homes.get(entity)
    const column = owner?.entities.get(entity)
    if (!owner || column === undefined) throw new LeftOut(`there is no entity '${name}'`)
    return (use) => assumed(owner, column, use)
  }
  const column = dimensionColumn(path, base, objects)
  const grain = kind === 'TimeDimension' ? (second ?? third) : third
  if (grain === undefined) return column
  if (!GRAINS.has(grain)) throw new LeftOut(`'${grain}' is no granularity here`)
  return () => `date_trunc('${grain}', ${column(undefined)})`
}

function dimensionColumn(path: readonly string[], base: ModelObject, objects: Objects): Field {
  const name = path.at(-1) ?? ''
  const entity = path.at(-2)
  if (name === 'metric_time' && entity === undefined) {
    const time = base.model.defaultTime
    const column = time === undefined ? undefined : base.dimensions.get(time)
    if (column === undefined) throw new LeftOut(`'${base.name}' has no time for metric_time`)
    return () => reference(base, column)
  }
  const owners = entity === undefined ? [] : (objects.owners.get(entity) ?? [])
  const owner = [...(owners.includes(base) ? [base] : []), ...owners].find(({ dimensions }) => dimensions.has(name))
  if (!owner) throw new LeftOut(`there is no dimension '${path.join('__')}'`)
  const column = owner.dimensions.get(name)!
  return (use) => assumed(owner, column, use)
}
