import { isHiddenName } from '../hidden-name.js'
import type { ColumnRef } from '../model/expression/ast.js'
import { computedModel, type SemanticModel } from '../model/semantic-model.js'
import { unitsOfModel } from '../model/unit/model-units.js'
import { symbolText, type Unit, unitText } from '../model/unit/unit.js'

/** The unit of a dimension, measure or metric as models write it: `EUR/km`, `{[Orders].[Currency]}`. `undefined` if it has none. */
export function unitOfField(model: SemanticModel, name: string): string | undefined {
  const whole = computedModel(model)
  const units = unitsOfModel(whole)
  if (units.isEmpty) return undefined
  const dimension = whole.dimensions.get(name)
  const found = dimension ? units.ofExpression(dimension.expression, { kind: 'dimension', name }) : units.ofField(name)
  return textOfUnit(found.unit)
}

/** The unit of a column. */
export function unitOfColumn(model: SemanticModel, object: string, column: string): string | undefined {
  const ref: ColumnRef = { kind: 'column', object, column }
  return textOfUnit(unitsOfModel(computedModel(model)).ofColumn(ref).unit)
}

/** A ratio has no unit to show, and a column that is hidden names none. */
export function textOfUnit(unit: Unit | undefined): string | undefined {
  if (!unit || unit.length === 0) return undefined
  return unit.some(({ of }) => of.kind === 'column' && isHiddenName(of.column)) ? undefined : unitText(unit, symbolText)
}
