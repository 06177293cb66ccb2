/** Models whose joins compare more than equal columns. A join to the last row before a time has no further term. */
import { asOfOf, equalTerms, type Term, type Within } from '../../core/src/model/join-term.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'

type Terms = readonly Term<string>[]

export function withTerms(of: SemanticModel, terms: (on: Terms) => Terms): SemanticModel {
  const dataObjects = [...of.dataObjects].map(
    ([name, object]) =>
      [
        name,
        { ...object, joins: object.joins.map((join) => (asOfOf(join.on) ? join : { ...join, on: terms(join.on) })) },
      ] as const,
  )
  return { ...of, dataObjects: new Map(dataObjects) }
}

/** That the value of each equality is in the interval from the other column to itself: equality implies it. */
export const impliedBy = (on: Terms, interval: Within<string>['interval']): readonly Within<string>[] =>
  equalTerms(on).map(({ from, to }) => {
    const [value, at] = interval === 'to' ? [from, to] : [to, from]
    const end = { at, isIncluded: true, isOpen: false }
    return { kind: 'within', interval, value, start: end, end }
  })
