import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { ApiError } from './api/api-error.js'
import { fieldsOf, schemaOf } from './tools/fields.js'
import { chosenModel, type World } from './world.js'

const REFERENCES = ['model-format', 'query', 'functions', 'errors'] as const
const SCHEMAS = ['model', 'query'] as const

/** Registers texts that an agent reads once: the references, the JSON Schemas, and the fields, source and diagram of a model. */
export function registerResources(server: McpServer, world: World): void {
  const { api } = world
  for (const name of REFERENCES)
    server.registerResource(
      `reference-${name}`,
      `grainline://reference/${name}`,
      { title: `Reference: ${name}`, mimeType: 'text/markdown' },
      async (uri) => asText(uri, 'text/markdown', await api.text(`/v1/reference/${name}`)),
    )
  for (const name of SCHEMAS)
    server.registerResource(
      `schema-${name}`,
      `grainline://schemas/${name}.json`,
      { title: `JSON Schema: ${name}`, mimeType: 'application/schema+json' },
      async (uri) => asText(uri, 'application/schema+json', JSON.stringify(await api.get(`/v1/reference/schemas/${name}`))),
    )
  server.registerResource(
    'field',
    new ResourceTemplate('grainline://fields/{name}', {
      list: undefined,
      complete: { name: (start) => namesLike(start, world) },
    }),
    { title: 'A field of the model', mimeType: 'application/json' },
    async (uri, { name }) =>
      asText(uri, 'application/json', JSON.stringify(await fieldNamed(decodeURIComponent(String(name)), world))),
  )
  server.registerResource(
    'diagram',
    'grainline://diagram',
    { title: 'Objects and joins of the model, as Mermaid', mimeType: 'text/vnd.mermaid' },
    async (uri) => {
      const { mermaid } = await api.get<{ readonly mermaid: string }>('/v1/diagram/er', {
        ...(await chosenModel(undefined, world, {})),
      })
      return asText(uri, 'text/vnd.mermaid', mermaid)
    },
  )
}

const asText = (uri: URL, mimeType: string, text: string) => ({ contents: [{ uri: uri.href, mimeType, text }] })

async function fieldNamed(name: string, world: World) {
  const schema = await schemaOf(await chosenModel(undefined, world, {}), world, {})
  return fieldsOf(schema).find((field) => field.name === name) ?? null
}

const MOST_COMPLETIONS = 100

/** The names with this prefix, in any case. None if the API does not answer, because an error would break the client's whole list. */
export async function namesLike(start: string, world: World, kinds?: readonly string[]): Promise<string[]> {
  try {
    const schema = await schemaOf(await chosenModel(undefined, world, {}), world, {})
    const fields = fieldsOf(schema).filter(({ kind }) => kinds === undefined || kinds.includes(kind))
    const alike = fields.map(({ name }) => name).filter((name) => name.toLowerCase().startsWith(start.toLowerCase()))
    return alike.slice(0, MOST_COMPLETIONS)
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}
