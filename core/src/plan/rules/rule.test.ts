/** Which rules are used: those that are not left out, and whose hints a dialect gives. */
import t from 'tap'
import { NO_HINTS } from '../planner-hints.js'
import { usableRules } from './rule.js'

const rules = [
  { name: 'free' },
  { name: 'one', needs: ['hashJoins'] },
  { name: 'two', needs: ['hashJoins', 'keepsTables'] },
] as const

for (const [hints, without, used] of [
  [{}, [], ['free']],
  [{ hashJoins: true }, [], ['free', 'one']],
  [{ keepsTables: true }, [], ['free']],
  [{ hashJoins: true, keepsTables: true }, [], ['free', 'one', 'two']],
  [{ hashJoins: true }, ['free'], ['one']],
  [{ hashJoins: true, keepsTables: true }, ['one', 'two'], ['free']],
] as const)
  t.test(
    `${Object.keys(hints).join(' and ') || 'no hint'} without ${without.join(' and ') || 'none'}: ${used.join(', ')}`,
    async (t) =>
      t.same(
        usableRules(rules, { ...NO_HINTS, ...hints }, new Set(without)).map(({ name }) => name),
        used,
      ),
  )
