import { Type } from '@grainline/core'
import { nullable, OR_BARE, strict, strings } from './common.js'
import { Query } from './queries.js'

const text = Type.Optional(nullable(Type.String()))

export const composables = {
  anchors: Type.Optional(
    nullable(Type.Array(Type.String(), { maxItems: 100, description: 'Dimensions, measures, metrics, data objects.' })),
  ),
  query: Type.Optional(nullable(Query)),
  dialect: text,
}
export const ComposablesRequest = strict(composables, { title: 'ComposablesRequest', description: OR_BARE })
export const ShortcutComposables = strict(
  { session_id: text, model_id: text, model: text, ...composables },
  { title: 'ShortcutComposablesRequest', description: OR_BARE },
)

export const ComposablesResponse = Type.Object(
  {
    anchorObjects: strings,
    dimensions: strings,
    measures: strings,
    metrics: strings,
    cflMeasures: strings,
    cflMetrics: strings,
  },
  { title: 'ComposablesResponse' },
)
