/** Rules that decide who sees what: each refuses the text, wherever its key is. */
import type { Loss } from '@grainline/core'
import type { Part } from './part.js'

/** The same list, in which the keys that `security` knows are rules. */
export function withRules(losses: readonly Loss[], roots: readonly Part[], security: RegExp): readonly Loss[] {
  const rules = roots.flatMap((root) => root.everyKey().filter(({ key }) => security.test(key)))
  const isRule = ({ place, message }: Loss) =>
    rules.some(
      (rule) => rule.place.line === place?.line && rule.place.column === place.column && message.startsWith(`'${rule.key}'`),
    )
  return [
    ...losses.filter((loss) => !isRule(loss)),
    ...rules.map(({ key, place }): Loss => {
      const message = `'${key}' is left out: it decides who sees what.`
      return { kind: 'refused', message, place, isSecurity: true }
    }),
  ]
}
