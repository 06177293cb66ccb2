/** One number as plain text, for a shell or a status bar: `GET /numbers/Revenue`. */
import { definePlugin, Type } from '@grainline/core'
import { valueAt } from '@grainline/core/format'
import { type HttpSurface, principalOf, type QueryService, type SurfaceContext } from '@grainline/core/surface'

const numbers: HttpSurface = {
  kind: 'http',
  name: 'numbers',
  async routes(app, { service }: SurfaceContext<QueryService>) {
    const schema = { params: Type.Object({ name: Type.String() }) }
    app.get<{ Params: { readonly name: string } }>('/numbers/:name', { schema }, async (request, reply) => {
      // When the client disconnects, the statement is cancelled in the database.
      const left = new AbortController()
      reply.raw.once('close', () => left.abort())
      const { schema: columns, batches } = await service.execute(
        {
          asker: { principal: principalOf(request), surface: 'numbers', requestId: request.id },
          // The only model; a server with several answers CONFLICT and lists them.
          target: {},
          query: { select: { measures: [request.params.name] } },
        },
        { signal: left.signal },
      )
      const values: string[] = []
      for await (const batch of batches)
        for (let row = 0; row < batch.rowCount; row++) values.push(String(valueAt(batch.columns[0]!, row, columns[0]!.type)))
      return reply.type('text/plain').send(`${values.join('\n')}\n`)
    })
  },
}

export default definePlugin({
  name: '@grainline/example-surface',
  host: '^0.1.0',
  setup: (host) => host.surfaces.register(numbers),
})
