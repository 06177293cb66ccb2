/** Generated policies for a generated case. */
import { parseModelSync } from '../../../core/src/model/load-model.js'
import type { StaticFilter } from '../../../core/src/model/semantic-model.js'
import { parseModelJson } from '../compiled.js'
import { asWritten, type ModelJson } from '../model.js'
import type { PolicyJson, SeekingJson } from '../policies.js'
import type { Case } from './case.js'
import { keptFilter } from './later-missing.js'
import { staticFilters } from './model.js'
import { exists } from './query.js'
import { type Random, randomFrom } from './random.js'

export interface Policies {
  readonly all: readonly PolicyJson[]
  readonly rules: readonly StaticFilter[]
}

/** One to three policies on stored columns of objects with tables, and in half of the cases one on rows of another object, if it loads. */
export function policiesFor(seed: number, { model }: Pick<Case, 'model'>, index: number): Policies {
  const random = randomFrom(Math.imul(seed, 0x9e3779b1) + Math.imul(index + 1, 0x85ebca6b))
  const stored = Object.fromEntries(
    Object.entries(model.dataObjects).flatMap(([name, object]) => {
      const columns = Object.fromEntries(
        Object.entries(object.columns).filter(([, c]) => c.code !== undefined && c.abstractType !== 'json'),
      )
      return 'calendar' in object || 'closure' in object || Object.keys(columns).length === 0
        ? []
        : [[name, { ...object, columns }] as const]
    }),
  )
  const further = furtherFor(randomFrom(Math.imul(seed, 0x27d4eb2f) + Math.imul(index + 1, 0x165667b1)), model)
  const plain = [...staticFilters(random, stored), ...further].map((policy) => keptFilter(random, policy))
  const { filters } = parseModelJson({ ...model, filters: plain })
  const [one] = random.chance(0.5) ? seekingFor(random, model, stored) : []
  if (!one) return { all: plain, rules: filters }
  // Some are alone, so that what they remove is not gone already.
  const others = random.chance(0.5) ? 0 : plain.length
  return { all: [...plain.slice(0, others), one.policy], rules: [...filters.slice(0, others), ...one.rules] }
}

/** One on a computed column that reads a further object, whose row it does not require, if the model has such a column. */
function furtherFor(random: Random, { dataObjects }: ModelJson) {
  const reachedFrom = (name: string, known: ReadonlySet<string> = new Set()): ReadonlySet<string> =>
    known.has(name)
      ? known
      : (dataObjects[name]?.joins ?? []).reduce<ReadonlySet<string>>(
          (all, { joinTo }) => reachedFrom(joinTo, all),
          new Set([...known, name]),
        )
  // Of facts with the same columns, some lack the join that a column needs.
  const isReached = (expression: string, name: string): boolean =>
    [...expression.matchAll(/\{\[([^\]]+)\]/g)].every(([, read]) => reachedFrom(name).has(read!))
  const reading = Object.entries(dataObjects).flatMap(([name, object]) => {
    const columns = Object.fromEntries(
      Object.entries(object.columns).filter(
        ([, { expression = '' }]) => expression.includes('{[') && !expression.includes('{@') && isReached(expression, name),
      ),
    )
    return 'calendar' in object || 'closure' in object || Object.keys(columns).length === 0
      ? []
      : [[name, { ...object, columns }] as const]
  })
  if (reading.length === 0) return []
  return staticFilters(random, Object.fromEntries([random.pick(reading)])).slice(0, 1)
}

function seekingFor(random: Random, model: ModelJson, stored: ModelJson['dataObjects']) {
  for (let tries = 4; tries > 0; tries--) {
    const dataObject = random.pick(Object.keys(stored))
    const { op, subquery } = exists(random, { ...model, dataObjects: stored }, true)
    const names = Object.values(stored).flatMap(({ joins = [] }) => joins.flatMap(({ pathName }) => pathName ?? []))
    const { dataObject: target, filter = [] } = subquery
    const policy: SeekingJson = {
      dataObject,
      [op as 'exists']: target,
      ...(filter.length > 0 && { filters: filter }),
      ...(names.length > 0 && random.chance(0.2) && { pathName: random.pick(names) }),
    }
    const { dataObject: on, ...where } = policy
    const access = { rows: [{ name: 'sought', dataObject: on, where, deniesBy: true }], unbound: Object.keys(model.dataObjects) }
    const { model: read, errors } = parseModelSync({ json: asWritten({ ...model, access } as ModelJson) })
    if (read?.access) return [{ policy, rules: read.access.rows }]
    const other = errors.find(({ path }) => !path.startsWith('access'))
    if (other) throw new Error(`only the rule itself may not load: ${other.path} ${other.message}`)
  }
  return []
}
