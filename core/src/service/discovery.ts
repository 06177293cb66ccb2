/** Searching a model by the names that people use. */

import { diffModels } from '../discovery/diff-models.js'
import { erDiagram } from '../discovery/er-diagram.js'
import { findFields } from '../discovery/find-fields.js'
import { joinGraphView } from '../discovery/join-graph-view.js'
import { lineage } from '../discovery/lineage.js'
import { type DataType, STRING } from '../model/data-type.js'
import { valueType } from '../model/expression/value-type.js'
import type { FunctionSpec } from '../model/functions/function-spec.js'
import { computedModel, type Measure, type SemanticModel } from '../model/semantic-model.js'
import { catalogueOf } from './catalogue.js'
import { findByName } from './find-by-name.js'
import type { DiscoveryService } from './semantic-service.js'
import type { ServiceDeps } from './service-deps.js'
import { refuseIfWithheld } from './withheld.js'

/** Information about a model that needs no compilation. */
type DiscoveryVerbs = Omit<DiscoveryService, 'modelColumns' | 'metricTypes'>

export function createDiscovery(deps: ServiceDeps): DiscoveryVerbs {
  const catalogue = catalogueOf(deps)
  return {
    findDimension: (model, name) => findByName(name, model.dimensions, 'FIELD_NOT_FOUND', 'a dimension of this model'),
    findMeasure: (model, name) => findByName(name, model.measures, 'FIELD_NOT_FOUND', 'a measure of this model'),
    findMetric: (model, name) => findByName(name, model.metrics, 'FIELD_NOT_FOUND', 'a metric of this model'),
    findExample: (model, name) =>
      findByName(name, new Map(model.examples.map((each) => [each.name, each])), 'EXAMPLE_NOT_FOUND', 'an example of this model'),
    measureType(model, measure) {
      if (measure.dataType) return measure.dataType
      const { functions, aggregates } = catalogue()
      const inputs = inputTypes(model, measure, functions)
      return aggregates.get(measure.aggregation)?.result(inputs) ?? inputs[0] ?? STRING
    },
    findFields: (model, query, kinds) => findFields(query, model, kinds),
    lineage(model, name) {
      const names = [model.dimensions, model.measures, model.metrics].flatMap((map) => [...map.keys()])
      const fields = new Map(names.map((each) => [each, each]))
      return lineage(findByName(name, fields, 'FIELD_NOT_FOUND', 'a dimension, measure or metric of this model'), model)!
    },
    joinGraph: joinGraphView,
    erDiagram,
    diff(before, after) {
      for (const model of [before, after]) refuseIfWithheld(model)
      return diffModels(before, after)
    },
  }
}

function inputTypes(model: SemanticModel, measure: Measure, functions: ReadonlyMap<string, FunctionSpec>): DataType[] {
  const { dataObjects } = computedModel(model)
  return measure.inputs.map((input) =>
    valueType(input, ({ object, column }) => dataObjects.get(object)?.columns.get(column)?.type ?? STRING, functions),
  )
}
