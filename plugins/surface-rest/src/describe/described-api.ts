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
  const named = new NamedSchemas(components?.schemas ?? {})
  mapped({ ...query, title: QUERY_TITLE }, (node) => named.inComponents(filterInComponents(node)))
  const filter = mapped(($defs as Json).Filter, (node) => named.inComponents(filterInComponents(node)))
  const paths = mapped(mapped(routes.paths, describedOnce), (node) => named.inComponents(queryInComponents(node, named)))
  return { ...routes, paths, components: { ...components, schemas: { ...named.schemas, QueryFilter: filter } } }
}

/** Fastify takes the description of an answer from its schema, and leaves it there, too. */
function describedOnce(node: Json): Json {
  if (typeof node.description !== 'string' || node.description === OR_BARE || node.content === undefined) return node
  return { ...node, content: mapped(node.content, (inner) => without(inner, node.description)) }
}

function without({ description, ...schema }: Json, repeated: unknown): Json {
  return description === undefined || (description === repeated && schema.title !== undefined)
    ? schema
    : { description, ...schema }
}

/**
 * Schemas with a title are written once and referred to: clients are generated from the document, and each schema becomes one type there. Two different
 * ones of a title get different names.
 */
class NamedSchemas {
  readonly #names = new Map<string, string>()
  readonly schemas: Record<string, unknown>

  constructor(given: Json) {
    this.schemas = { ...given }
  }

  inComponents(node: Json): Json {
    const { title, type, properties } = node
    if (typeof title !== 'string' || type !== 'object' || properties === undefined) return node
    const text = JSON.stringify(node)
    const name = this.#names.get(text) ?? this.#unused(title)
    this.#names.set(text, name)
    this.schemas[name] = node
    return { $ref: `#/components/schemas/${name}` }
  }

  #unused(title: string): string {
    for (let number = 1; ; number++) {
      const name = number === 1 ? title : `${title}${number}`
      if (!Object.hasOwn(this.schemas, name)) return name
    }
  }
}

/** Replaces the placeholder of a query, and of a body that may be a query, by a reference to the schema. */
function queryInComponents(node: Json, named: NamedSchemas): Json {
  if (node.title === QUERY_TITLE) return QUERY
  if (node.description !== OR_BARE || node.properties === undefined) return node
  const { description: _description, examples, ...body } = node
  return { anyOf: [named.inComponents(body), QUERY], ...(examples === undefined ? {} : { examples }) }
}

const filterInComponents = (node: Json): Json => (node.$ref === '#/$defs/Filter' ? { $ref: FILTER } : node)

/** A JSON value with each of its objects replaced, the innermost first. */
function mapped(value: unknown, replace: (node: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, replace))
  if (typeof value !== 'object' || value === null) return value
  return replace(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapped(inner, replace)])))
}
