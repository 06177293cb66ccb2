import { utf8Length } from '../utf8-length.js'
import type { Dialect } from './dialect.js'
import { relationsIn } from './relations-in.js'
import type { Query, Select, Statement } from './statement.js'

/**
 * The names of a statement with a character that the engine refuses, each with `_` in its place, if no other name of the statement is then
 * written alike. All other names with such a character are made unique by themselves.
 */
export function allowedNames(
  { ctes, body }: Statement,
  { forbiddenIdentifierChars: forbidden, maxIdentifierBytes }: Pick<Dialect, 'forbiddenIdentifierChars' | 'maxIdentifierBytes'>,
): ReadonlyMap<string, string> {
  if (!forbidden) return new Map()
  const names = new Set([...ctes.map(({ name }) => name), ...[...ctes.map(({ query }) => query), body].flatMap(namesIn)])
  const allowed = (name: string): string => name.replaceAll(forbidden, '_')
  const written = [...names].map((name) => allowed(name).toLowerCase())
  const isAlone = (text: string): boolean => written.indexOf(text) === written.lastIndexOf(text)
  return new Map(
    [...names].flatMap((name): [string, string][] => {
      const text = allowed(name)
      const fits = text !== name && isAlone(text.toLowerCase()) && utf8Length(text) <= maxIdentifierBytes
      return fits ? [[name, text]] : []
    }),
  )
}

const namesIn = (query: Query): readonly string[] => [
  ...relationsIn(query).flatMap((one) => [one.alias, ...(one.kind === 'subquery' ? columnsOf(one.query) : [])]),
  ...columnsOf(query),
]

const columnsOf = (query: Query): readonly string[] => selectsOf(query).flatMap(({ items }) => items.map(({ alias }) => alias))

const selectsOf = (query: Query): readonly Select[] => (query.kind === 'select' ? [query] : query.parts)
