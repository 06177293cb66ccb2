import { type ErrorCode, fail } from '../errors.js'
import { isHiddenName } from '../hidden-name.js'
import { entryOf, firstOf } from '../invariant.js'
import { isTemporal } from '../model/data-type.js'
import type { ColumnRef } from '../model/expression/ast.js'
import { leavesOf } from '../model/expression/ast.js'
import { isOffered, type SemanticModel } from '../model/semantic-model.js'
import { nearest, shown } from '../nearest.js'
import { find, findColumn, unknownName } from './lookup.js'

/** Refuses a name that is not a dimension, with its actual kind or the nearest name. */
export function unknownDimension(code: ErrorCode, name: string, model: SemanticModel, path: string): never {
  const { dimensions } = model
  const found = findColumn(name, model)
  if (found) {
    const shown = [...dimensions.values()]
      .filter(({ name, expression }) => !isHiddenName(name) && isColumn(expression, found.ref))
      .map((d) => d.name)
    return refuseColumn(code, { name, shown, what: 'dimension' }, path)
  }
  const colon = name.lastIndexOf(':')
  const dimension = colon > 0 ? find(name.slice(0, colon).trim(), dimensions) : undefined
  if (dimension) return unknownGrain(code, { dimension: dimension.name, written: name.slice(colon + 1).trim(), path }, model)
  return unknownName(
    code,
    { name, what: 'not a dimension of this model', known: [...dimensions.values()].filter(({ hidden }) => !hidden) },
    path,
  )
}

/** Refuses a name that is neither a measure nor a metric. */
export function unknownMeasure(code: ErrorCode, name: string, model: SemanticModel, path: string): never {
  const found = findColumn(name, model)
  if (found) {
    const made = [...model.measures.values()].filter(
      ({ name, inputs, hidden }) => !isHiddenName(name) && !hidden && inputs.some((input) => isColumn(input, found.ref)),
    )
    return refuseColumn(code, { name, shown: made.map((m) => m.name), what: 'measure' }, path)
  }
  const known = [...model.measures.values(), ...model.metrics.values()].filter(isOffered)
  return unknownName(code, { name, what: 'not a measure or metric of this model', known }, path)
}

/** A grain as a query writes it. */
interface WrittenGrain {
  readonly dimension: string
  readonly written: string
  readonly path: string
}

function unknownGrain(code: ErrorCode, { dimension, written: text, path }: WrittenGrain, model: SemanticModel): never {
  const { grains } = model
  const written = shown(text)
  if (!isTemporal(entryOf(model.dimensions, dimension).type))
    return fail(code, `'${dimension}' is not a date or timestamp and has no grain '${written}'; write '${dimension}'`, {
      path,
      suggestions: [dimension],
    })
  if (find(written, grains))
    return fail(
      code,
      `A condition compares '${dimension}' at the grain that the model gives it; write '${dimension}' without ':${written}'`,
      {
        path,
        suggestions: [dimension],
      },
    )
  const suggestions = nearest(written, grains.keys()).map((grain) => `${dimension}:${grain}`)
  const meant = suggestions.length > 0 ? `did you mean '${suggestions[0]}'?` : `known are ${[...grains.keys()].join(', ')}`
  return fail(code, `'${written}' is not a grain of this model; ${meant}`, { path, suggestions })
}

/** A name that is a column, and the fields that use it. */
interface ShownColumns {
  readonly name: string
  readonly shown: readonly string[]
  readonly what: 'dimension' | 'measure'
}

function refuseColumn(code: ErrorCode, { name, shown, what }: ShownColumns, path: string): never {
  const instead =
    shown.length > 0
      ? `use the ${what} '${shown[0]}', which reads it`
      : `declare a ${what} that reads it, or ask for plain rows with select.fields`
  return fail(code, `'${name}' is a column, not a ${what}; ${instead}`, { path, suggestions: shown.slice(0, 3) })
}

function isColumn(expression: Parameters<typeof leavesOf<ColumnRef>>[0], { object, column }: ColumnRef): boolean {
  const leaves = leavesOf<ColumnRef>(expression)
  return leaves.length === 1 && firstOf(leaves).object === object && firstOf(leaves).column === column
}
