import { Type } from '@grainline/core'
import { strings } from './common.js'

export const LineageResponse = Type.Object(
  {
    name: Type.String(),
    type: Type.String(),
    lineage: Type.Array(Type.Object({ type: Type.String(), name: Type.String(), detail: Type.Optional(Type.String()) })),
  },
  { title: 'LineageResponse' },
)

export const JoinGraphResponse = Type.Object(
  {
    nodes: strings,
    bridges: Type.Array(Type.Object({ data_object: Type.String(), weight: Type.Optional(Type.String()) })),
    edges: Type.Array(
      Type.Object({
        from_object: Type.String(),
        to_object: Type.String(),
        cardinality: Type.String(),
        columns_from: strings,
        columns_to: strings,
        during: Type.Optional(
          Type.Object(
            {
              interval: Type.String(),
              time: Type.String(),
              from: Type.String(),
              to: Type.String(),
              includes_end: Type.Boolean(),
            },
            { description: 'The interval of one side (here, there) in which a time of the other must be.' },
          ),
        ),
        as_of: Type.Optional(
          Type.Object(
            { time: Type.String(), to: Type.String(), direction: Type.String(), within: Type.Optional(Type.String()) },
            { description: 'The time for which the last row of to_object (backward), or the next one (forward), is looked up.' },
          ),
        ),
        secondary: Type.Boolean(),
        path_name: Type.Optional(Type.String()),
        nested_in: Type.Optional(Type.String({ description: 'Column of to_object whose lists hold the rows of from_object.' })),
        required: Type.Boolean(),
        foreign_key: Type.Boolean(),
      }),
    ),
  },
  { title: 'JoinGraphResponse' },
)

export const DiagramResponse = Type.Object(
  { mermaid: Type.String({ description: 'The text of a Mermaid erDiagram.' }) },
  { title: 'DiagramResponse' },
)
