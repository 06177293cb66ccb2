/** Models without the names that nobody reads: of columns, which are those of the database after a way through another format. */
import type { SemanticModel } from '@grainline/core'

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

/** An expression in which each column is that of the database. */
function inlined(expression: unknown, model: SemanticModel): unknown {
  if (Array.isArray(expression)) return expression.map((each) => inlined(each, model))
  if (!isNode(expression)) return typeof expression === 'bigint' ? `${expression}` : expression
  if (expression['kind'] === 'column') return columnOf(String(expression['object']), String(expression['column']), model)
  const operands = Object.fromEntries(Object.entries(expression).map(([key, value]) => [key, inlined(value, model)]))
  // A quotient is a double, whatever its dividend is.
  const { operator, left } = operands
  if (operator === '/' && isNode(left) && left['kind'] === 'cast' && isNode(left['type']) && left['type']['kind'] === 'float')
    return { ...operands, left: left['operand'] }
  return operands
}

function columnOf(object: string, name: string, model: SemanticModel): unknown {
  const column = model.dataObjects.get(object)?.columns.get(name)
  const { source, trueValues } = column ?? {}
  if (source?.kind === 'physical' && trueValues) {
    const type = { kind: trueValues.every((value) => typeof value === 'number') ? 'int' : 'string' }
    const list = trueValues.map((value) => ({ kind: 'literal', value, type }))
    return { kind: 'in', operand: { column: source.code, of: object, type }, list }
  }
  if (source?.kind === 'physical') return { column: source.code, of: object, type: column?.type }
  return source?.kind === 'expression' ? inlined(source.expression, model) : { column: name, of: object }
}

const noted = ({
  description,
  synonyms = [],
}: {
  description?: string | undefined
  synonyms?: readonly string[] | undefined
}) => ({
  ...(description !== undefined && { description }),
  ...(synonyms.length > 0 && { synonyms }),
})

/** What an item of the model means, by its path. That the settings have a zone for its times is a line about the settings. */
export const meaningOf = (path: readonly (string | number)[], model: SemanticModel, of: SemanticModel): unknown =>
  JSON.parse(
    JSON.stringify(meaningIn(path, model, of), (key, value: unknown) => (key === 'written' ? undefined : value)) ?? 'null',
  )

function meaningIn(path: readonly (string | number)[], model: SemanticModel, of: SemanticModel): unknown {
  const [kind, name = '', part, at] = path
  const named = String(name)
  if (kind === 'dataObjects') return part === 'joins' ? joinOf(named, Number(at), model, of) : objectOf(named, model)
  if (kind === 'dimensions') {
    const { dataObject, expression, type, hidden, ...rest } = model.dimensions.get(named) ?? absent(path)
    return { dataObject, hidden, type, expression: inlined(expression, model), ...noted(rest) }
  }
  if (kind === 'measures') return measureOf(model.measures.get(named) ?? absent(path), model)
  const metric = model.metrics.get(named) ?? absent(path)
  return {
    type: metric.type,
    expression: 'expression' in metric ? inlined(metric.expression, model) : undefined,
    ...noted(metric),
  }
}

const absent = (path: readonly (string | number)[]): never => {
  throw new Error(`there is no ${path.join('.')}`)
}

type Measure = SemanticModel['measures'] extends ReadonlyMap<string, infer M> ? M : never

function measureOf(measure: Measure, model: SemanticModel): unknown {
  const { aggregation, inputs, distinct, percentile, semiAdditive, anchor, filters } = measure
  const isCount = aggregation === 'count'
  const [input] = inputs
  const ofRows = measure.rowCountOf ?? (isCount && input?.kind === 'literal' && input.value !== null ? anchor : undefined)
  if (ofRows !== undefined && filters.length === 0) return { rows: ofRows, ...noted(measure) }
  return {
    ...{
      aggregation: isCount && distinct ? 'count_distinct' : aggregation,
      distinct: !isCount && distinct,
      percentile,
      semiAdditive: semiAdditive && { ...semiAdditive, timeDimension: timeOf(semiAdditive.timeDimension, model) },
    },
    ...{ inputs: inlined(inputs, model), filters: filters.length },
    ...noted(measure),
  }
}

/** A dimension may have another name in another format. */
const timeOf = (name: string, model: SemanticModel): unknown => inlined(model.dimensions.get(name)?.expression, model) ?? name

function objectOf(name: string, model: SemanticModel): unknown {
  const object = model.dataObjects.get(name) ?? absent(['dataObjects', name])
  const keys = [object.key, ...object.uniqueKeys].map((key) =>
    key.map((column) => columnOf(name, column, model)).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  )
  return { source: object.source, keys, ...noted(object) }
}

/** The join of `model` that is the join of `of` with this position. */
function joinOf(name: string, at: number, model: SemanticModel, of: SemanticModel): unknown {
  const wanted = of.dataObjects.get(name)?.joins[at] ?? absent([name, at])
  const isSame = ({ to, secondary, pathName }: typeof wanted) =>
    to === wanted.to && secondary === wanted.secondary && (!secondary || pathName === wanted.pathName)
  const { from, to, cardinality, on, secondary } =
    model.dataObjects.get(name)?.joins.find(isSame) ??
    absent([name, `joins to ${wanted.to}`, String(wanted.pathName), JSON.stringify(model.dataObjects.get(name)?.joins)])
  const terms = on.map((term) =>
    term.kind === 'equal'
      ? { from: columnOf(from, term.from, model), to: columnOf(to, term.to, model) }
      : JSON.parse(JSON.stringify(term)),
  )
  return { from, to, cardinality, terms, secondary }
}
