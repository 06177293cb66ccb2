import type { NamedRule } from '../../plan/rules/rule.js'
import { isSame, ValueSet } from '../../same.js'
import type { Among, From, Query, Select, Statement } from '../statement.js'

/** What a rule changed that it must not: the columns of the answer, its order or its limit, or the tables that are read. */
export function statementFault({ name }: NamedRule, before: Statement, after: Statement): string | undefined {
  if (!isSame(columnsOf(before.body), columnsOf(after.body))) return `the rule '${name}' changes the columns of the answer`
  if (!isSame(endOf(before.body), endOf(after.body))) return `the rule '${name}' changes the order or the limit of the answer`
  const [was, is] = [new ValueSet(tablesOf(before)), new ValueSet(tablesOf(after))]
  const isSameSet = tablesOf(before).every((table) => is.has(table)) && tablesOf(after).every((table) => was.has(table))
  return isSameSet ? undefined : `the rule '${name}' changes the tables that are read`
}

const selectsOf = (query: Query): readonly Select[] => (query.kind === 'select' ? [query] : query.parts)

const columnsOf = (query: Query): readonly (readonly object[])[] =>
  selectsOf(query).map(({ items }) => items.map(({ alias, type }) => ({ alias, type })))

const endOf = (query: Query): readonly object[] =>
  selectsOf(query).map(({ orderBy, limit, offset }) => ({
    orderBy: orderBy.map(({ descending, nullsFirst }) => ({ descending, nullsFirst })),
    limit,
    offset,
  }))

const tablesOf = ({ ctes, body }: Statement): readonly object[] => [...ctes.map(({ query }) => query), body].flatMap(tablesIn)

const tablesIn = (query: Query): readonly object[] =>
  selectsOf(query).flatMap(({ from, among = [], found = [] }) => [
    ...tablesFrom(from),
    ...tablesAmong(among),
    ...found.flatMap((one) => tablesIn(one.query)),
  ])

function tablesFrom(from: From): readonly object[] {
  switch (from.kind) {
    case 'table':
      return [from.source]
    case 'subquery':
      return tablesIn(from.query)
    case 'join':
      return [...tablesFrom(from.left), ...tablesFrom(from.right), ...tablesAmong(from.among ?? [])]
    default:
      return []
  }
}

const tablesAmong = (among: readonly Among[]): readonly object[] => among.flatMap(({ query }) => tablesIn(query))
