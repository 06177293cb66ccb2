/** Several facts at the rows of one object: by which column they are joined, and what they provide. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { said, saidTerms } from '../../../test/support/said.js'
import { INT, STRING } from '../model/data-type.js'
import type { ResolvedDimension } from '../resolve/resolved-query.js'
import { boundFacts, broughtBy, type Facts, linkOf } from './facts.js'
import { rowsOf } from './rows.js'

const dimension = (name: string, column: string, type = INT) =>
  ({
    name,
    type,
    members: [{ object: 'Customers', expression: { kind: 'column', object: 'Customers', column } }],
  }) as unknown as ResolvedDimension
const facts: Facts = {
  alias: 'facts',
  keys: [dimension('key_1', 'Id'), dimension('key_2', 'Region Id')],
  dimensions: [dimension('Status', 'Status', STRING as typeof INT)],
  legs: [],
}

t.test('the first column of the key finds the base row', async (t) => {
  t.equal(linkOf(facts), 'Id')
  t.equal(linkOf({ ...facts, keys: [] }), undefined)
})

t.test('a dimension that the facts provide is their column', async (t) => {
  const column = broughtBy(facts, dimension('Status', 'Status', STRING as typeof INT))
  t.equal(column && said(column), 'facts.Status')
  t.equal(broughtBy(facts, dimension('Region', 'Region Id')), undefined)
  t.equal(broughtBy(facts, dimension('key_1', 'Id')), undefined, 'a key is one of the base')
})

t.test('they are joined by every column of the key', async (t) => {
  const bound = boundFacts(facts, rowsOf(contextOf(shop), 'Customers', { isBase: true }))
  t.equal(saidTerms(bound.on), '((Customers.id = facts.key_1) and (Customers.region_id = facts.key_2))')
  t.same(
    bound.keys.map(({ name, type }) => `${name} ${type.kind}`),
    ['key_1 int', 'key_2 int', 'Status string'],
  )
  t.match(bound, { alias: 'facts', object: 'Customers', legs: [] })
})
