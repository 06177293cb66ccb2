/** Rules that decide who sees what: each refuses the text, wherever its key is. */
import type { Loss } from '@grainline/core'
import { type Part, type Place, placeKey } from './part.js'

/** The key of a rule, and where it is. */
export interface Rule {
  readonly key: string
  readonly place: Place
}

/** The keys that `security` knows. */
export const rulesIn = (roots: readonly Part[], security: RegExp): readonly Rule[] =>
  roots.flatMap((root) => root.everyKey().filter(({ key }) => security.test(key)))

/** The same list, in which each rule is one line, that of a rule. */
export function withRules(losses: readonly Loss[], rules: readonly Rule[]): readonly Loss[] {
  const said = new Set(rules.map(({ key, place }) => `${placeKey(place)} '${key}'`))
  const isRule = ({ place, message }: Loss) => place && said.has(`${placeKey(place)} ${/^'[^']*'/.exec(message)?.[0]}`)
  return [...losses.filter((loss) => !isRule(loss)), ...rules.map(({ key, place }) => ruleLeftOut(`'${key}'`, place))]
}

/** The line of a rule, which is called `what`. */
export const ruleLeftOut = (what: string, place: Place): Loss => ({
  kind: 'refused',
  message: `${what} is left out: it decides who sees what.`,
  place,
  isSecurity: true,
})
