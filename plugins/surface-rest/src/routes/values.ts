import { GrainlineError, Type } from '@grainline/core'
import { encodeJsonRows } from '@grainline/core/format'
import type { FastifyInstance } from 'fastify'
import type { Execution, RestContext } from '../context.js'
import { HIDDEN } from '../http/hidden.js'
import { askerOf, optionsFor } from '../http/target.js'
import { timed } from '../http/timing.js'
import { answers } from '../schemas/common.js'
import { modelRoute } from './model-route.js'

/** The values of a dimension, read from the database. */
export function valueRoutes(app: FastifyInstance, context: RestContext): void {
  const { service } = context
  const path = '/values/:name'
  if (!service.executionEnabled) {
    refuseValues(app, path)
    return
  }
  const schema = { summary: 'The values of a dimension', tags: ['discovery'], response: answers(200, ValuesResponse) }
  modelRoute(app, context, { path, schema, url: ValuesUrl }, async ({ sessionId, modelId, model }, request, reply) => {
    const { name } = service.findDimension(model, request.params.name)
    const { search, limit = 100, all = false, dialect } = request.query
    // One value more than the limit shows whether the list is complete.
    const wanted = { dimension: name, search, limit: limit + 1, all, dialect }
    const asked = { asker: askerOf(request), target: { sessionId, modelId }, ...wanted }
    const options = optionsFor(request, reply.raw, context.settings)
    const rows = await timed(reply, 'values', async () => rowsOf(await service.dimensionValues(asked, options)))
    const values = rows.slice(0, limit).map(([value, count]) => ({ value, count }))
    return { dimension: name, values, truncated: rows.length > limit }
  })
}

async function rowsOf(execution: Execution): Promise<readonly (readonly unknown[])[]> {
  const pieces: Uint8Array[] = []
  const { timezone } = execution.outcome()
  for await (const piece of encodeJsonRows(execution.batches, { timezone })) pieces.push(piece)
  return JSON.parse(Buffer.concat(pieces).toString('utf8'))
}

/** The paths answer with the reason why they are off. The OpenAPI document leaves them out. */
function refuseValues(app: FastifyInstance, path: string): void {
  for (const url of [`/sessions/:session_id/models/:model_id${path}`, path]) {
    app.get(url, HIDDEN, async () => {
      throw new GrainlineError('EXECUTION_DISABLED', 'Execution is off; QUERY_EXECUTE=true turns it on')
    })
  }
}

const ValuesUrl = {
  search: Type.Optional(Type.String({ maxLength: 500, description: 'Text that a value contains, in any case.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 100 })),
  all: Type.Optional(
    Type.Boolean({
      description: 'Includes values that no row of the main fact has; the counts are of rows of the object.',
      default: false,
    }),
  ),
  dialect: Type.Optional(Type.String()),
}

const ValuesResponse = Type.Object(
  {
    dimension: Type.String(),
    values: Type.Array(
      Type.Object({
        value: Type.Unsafe<unknown>({ description: 'The value as in the rows of an answer; null is a value too.' }),
        count: Type.Unsafe<number | string>({
          type: ['integer', 'string'],
          description: 'Rows of the main fact, or of the object.',
        }),
      }),
    ),
    truncated: Type.Boolean({ description: 'Whether there are more values than limit.' }),
  },
  { title: 'ValuesResponse' },
)
