import type { ReferenceService } from '@grainline/core/surface'
import type { FastifyInstance } from 'fastify'
import { OR_BARE, QUERY_TITLE } from '../schemas/common.js'

type Service = Pick<ReferenceService, 'jsonSchemas'>
type Json = Readonly<Record<string, unknown>>

/** The finished documents, by the document that Fastify generates once. */
const documents = new WeakMap<object, Json>()

/**
 * The OpenAPI document of the routes, in which a query has the schema of the query language. The routes themselves do not validate a query with
 * it: the query parser names the place and the nearest valid word.
 */
export function describedApi(app: FastifyInstance, service: Service): Json {
  const routes = app.swagger() as Json
  const document = documents.get(routes) ?? withQuerySchema(routes, service.jsonSchemas().query as Json)
  documents.set(routes, document)
  return document
}

const QUERY = { $ref: `#/components/schemas/${QUERY_TITLE}` }
const FILTER = '#/components/schemas/QueryFilter'

function withQuerySchema(routes: Json, { $id: _id, $schema: _schema, $defs, ...query }: Json): Json {
  const components = routes.components as { readonly schemas?: Json } | undefined
  const schemas = {
    ...components?.schemas,
    [QUERY_TITLE]: mapped({ ...query, title: QUERY_TITLE }, filterInComponents),
    QueryFilter: mapped(($defs as Json).Filter, filterInComponents),
  }
  return { ...routes, paths: mapped(routes.paths, queryInComponents), components: { ...components, schemas } }
}

/** Replaces the placeholder of a query, and of a body that may be a query, by a reference to the schema. */
function queryInComponents(node: Json): Json {
  if (node.title === QUERY_TITLE) return QUERY
  if (node.description !== OR_BARE || node.properties === undefined) return node
  const { description: _description, examples, ...body } = node
  return { anyOf: [body, QUERY], ...(examples === undefined ? {} : { examples }) }
}

const filterInComponents = (node: Json): Json => (node.$ref === '#/$defs/Filter' ? { $ref: FILTER } : node)

/** A JSON value with each of its objects replaced, the innermost first. */
function mapped(value: unknown, replace: (node: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, replace))
  if (typeof value !== 'object' || value === null) return value
  return replace(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapped(inner, replace)])))
}
