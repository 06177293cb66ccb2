import { reachable } from '../model/graph.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { lineage } from './lineage.js'
import type { Change, Touched } from './model-diff.js'

/** Fields, examples and tests of either model whose numbers the changes may affect: rather one too many than one too few. */
export function touchedBy(changes: readonly Change[], before: SemanticModel, after: SemanticModel): Touched {
  const moving = changes.filter(({ cosmetic }) => !cosmetic)
  const models = [before, after].map((model) => touchedIn(model, moving))
  const all = (part: keyof Touched): readonly string[] => [...new Set(models.flatMap((touched) => touched[part]))].sort()
  return {
    dimensions: all('dimensions'),
    measures: all('measures'),
    metrics: all('metrics'),
    examples: all('examples'),
    tests: all('tests'),
  }
}

function touchedIn(model: SemanticModel, changes: readonly Change[]): Touched {
  const isTouched = touches(model, changes)
  const fields = (names: Iterable<string>): string[] => [...names].filter(isTouched)
  const dimensions = fields(model.dimensions.keys())
  const measures = fields(model.measures.keys())
  const metrics = fields(model.metrics.keys())
  const names = new Set([...dimensions, ...measures, ...metrics])
  const tests = model.document.tests ?? []
  const changedIn = (section: Change['section']) =>
    new Set(changes.filter((change) => change.section === section).map(({ name }) => name))
  const asks = ({ name, query }: { readonly name: string; readonly query?: unknown }, own: ReadonlySet<string>) =>
    own.has(name) || speaksOf(query, names)
  return {
    dimensions,
    measures,
    metrics,
    examples: model.examples.filter((example) => asks(example, changedIn('examples'))).map(({ name }) => name),
    tests: tests.filter((test) => asks(test, changedIn('tests'))).map(({ name }) => name),
  }
}

/** Whether the number or value of a field may change. */
function touches(model: SemanticModel, changes: readonly Change[]): (field: string) => boolean {
  const named = new Set(
    changes.flatMap(({ section, name, was }) => [`${section} ${name}`, ...(was === undefined ? [] : [`${section} ${was}`])]),
  )
  const everything = changes.some(({ section }) => section === 'settings' || section === 'calendars' || section === 'parameters')
  const objects = objectsTouched(model, changes)
  return (field) => {
    if (everything) return true
    const made = lineage(field, model)
    if (made === undefined) return false
    const own = `${made.type}s ${field}`
    return (
      named.has(own) ||
      made.lineage.some(
        ({ type, name }) =>
          named.has(`${type === 'data_object' ? 'dataObjects' : `${type}s`} ${name}`) ||
          (type === 'data_object' && objects.has(name)),
      )
    )
  }
}

/** Objects whose rows may count differently: those with a changed join or filter, and those that reach them. */
function objectsTouched({ dataObjects }: SemanticModel, changes: readonly Change[]): ReadonlySet<string> {
  const ends = new Set(
    changes.flatMap(({ section, name }) => {
      if (section === 'joins') return name.replace(/ \((?:(?! \()[^)])*\)$/, '').split(' → ')
      if (section === 'filters') return [...dataObjects.keys()].filter((object) => name.startsWith(`${object}.`))
      // A key identifies rows, so a change of it changes what counts as one row.
      if (section === 'columns')
        return [...dataObjects.values()]
          .filter((object) => object.key.some((key) => name === `${object.name}.${key}`))
          .map((object) => object.name)
      return []
    }),
  )
  if (ends.size === 0) return ends
  const targets = (name: string) => dataObjects.get(name)?.joins.map(({ to }) => to) ?? []
  const reaching = [...dataObjects.keys()].filter((name) => [...reachable(name, targets)].some((other) => ends.has(other)))
  return new Set([...ends, ...reaching])
}

/** Whether a query names one of the fields, as text anywhere in it. */
function speaksOf(query: unknown, names: ReadonlySet<string>): boolean {
  const stack: unknown[] = [query]
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (typeof top === 'string') {
      if (names.has(top) || names.has(top.replace(/:\w+$/, ''))) return true
      if (top.split('{[').some((part) => part.includes(']}') && names.has(part.slice(0, part.indexOf(']}'))))) return true
    } else if (typeof top === 'object' && top !== null) stack.push(...Object.values(top).map((item) => item ?? ''))
  }
  return false
}
