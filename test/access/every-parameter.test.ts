/** The requests of the doors use every parameter of every route: a new one is compared over removed rows by itself, or fails here. */
import t from 'tap'
import { requestsOf } from './doors.js'
import { SHOP_PLUGINS, SHOP_SETTINGS, servedShop } from './served.js'

/** What is read of a schema. */
interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

/** What a question is made of: test/access/every-feature.test.ts asks each question of the corpus in this way. */
const OF_A_QUESTION = new Set(['query', 'select', 'where', 'having'])

t.test('every parameter of every route', async (t) => {
  const shop = await servedShop(t, { plugins: SHOP_PLUGINS, settings: SHOP_SETTINGS })
  const document: Document = JSON.parse((await shop.app.inject({ url: '/openapi.json' })).payload)
  const namesIn = (schema: Schema | undefined): readonly string[] => {
    const { properties = {}, items, ...found } = resolved(schema, document)
    const among = [...(found.allOf ?? []), ...(found.anyOf ?? []), ...(found.oneOf ?? []), ...(items ? [items] : [])]
    const own = Object.entries(properties).flatMap(([name, inner]) =>
      OF_A_QUESTION.has(name) ? [name] : [name, ...namesIn(inner).map((part) => `${name}.${part}`)],
    )
    return [...own, ...among.flatMap(namesIn)]
  }
  // The flattened form of a question has the names of one.
  const ofQuestions = new Set([
    ...OF_A_QUESTION,
    ...namesIn(propertyOf(bodyOf(document.paths['/v1/query/execute']?.['post']), 'query', document)),
  ])
  const requests = requestsOf(shop, {}, () => true)
  let seen = 0
  for (const [path, operations] of Object.entries(document.paths)) {
    // A route of a session takes what its shortcut takes.
    if (path.includes('{session_id}')) continue
    for (const [method, operation] of Object.entries(operations)) {
      const door = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`
      const used = new Set(requests.filter((one) => one.door === door).flatMap(({ request }) => namesOf(request)))
      const given = (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name)
      const named = [...given, ...namesIn(bodyOf(operation))].filter((name) => !ofQuestions.has(name.replace(/^queries\./, '')))
      seen += named.length
      t.same(
        named.filter((name) => !used.has(name)),
        [],
        `${door}: give it a request in doors.ts`,
      )
    }
  }
  t.ok(seen > 100, `${seen} parameters`)
})

const bodyOf = (operation: Operation | undefined): Schema | undefined =>
  operation?.requestBody?.content?.['application/json']?.schema

function resolved(schema: Schema | undefined, document: Document): Schema {
  const name = schema?.$ref?.replace('#/components/schemas/', '')
  return (name === undefined ? schema : document.components?.schemas?.[name]) ?? {}
}

function propertyOf(schema: Schema | undefined, name: string, document: Document): Schema | undefined {
  const { properties = {}, allOf = [], anyOf = [], oneOf = [] } = resolved(schema, document)
  if (properties[name]) return properties[name]
  return [...allOf, ...anyOf, ...oneOf].map((one) => propertyOf(one, name, document)).find((one) => one !== undefined)
}

/** The names in the query string and the body of a request. */
function namesOf({ url, payload }: { readonly url: string; readonly payload?: object }): readonly string[] {
  return [...new URL(url, 'http://shop').searchParams.keys(), ...keysOf(payload)]
}

function keysOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [name, ...keysOf(inner).map((part) => `${name}.${part}`)])
}
