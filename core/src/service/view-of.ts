import { randomUUID } from 'node:crypto'
import { type Principal, refuseEnded, rolesOf } from '../auth/principal.js'
import { type Bound, boundBy, keyOfBound, type SharedViews, viewFor } from '../model/restrict.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { clockAt, relativeDay } from '../resolve/clock.js'
import { dateText } from '../resolve/time.js'

/** Who asks for a model; `undefined` is the server itself, such as when it checks the examples of a model. */
export type By = Principal | undefined

/** So many views of one model are kept; of more, those that were used the longest time ago are made again. */
const MOST_VIEWS = 1_000

/**
 * The model as a principal sees it. Only `resolve-model.ts` calls it, so that no verb of the service hands out a model in another way. It is the same value for
 * all principals with the same rights, because plans, readings and answers are kept by the model. Days relative to `now` are read in the zone of the model, so that it is
 * another one on the next day.
 */
export function viewOf(model: SemanticModel, by: By, now: Date): SemanticModel {
  if (by !== undefined) refuseEnded(by)
  if (model.access === undefined || by === undefined) return model
  const { queryTimezone = 'UTC', weekStart } = model.settings
  const clock = clockAt(now, queryTimezone, weekStart)
  const bound = boundBy(model.access, { name: by.name, roles: rolesOf(by), attributes: by.attributes ?? {} }, (day) =>
    dateText(relativeDay(day, clock)),
  )
  const views = VIEWS.get(model) ?? { own: new Map(), shared: new Map() }
  VIEWS.set(model, views)
  return viewIn(views, model, bound)
}

/** Without it the names of hidden fields in a view could be computed by somebody who knows the model. */
const SECRET = randomUUID()

interface Views {
  readonly own: SharedViews
  /** What principals share whose values decide no plan. */
  readonly shared: SharedViews
}

const VIEWS = new WeakMap<SemanticModel, Views>()

function viewIn({ own, shared }: Views, model: SemanticModel, bound: Bound): SemanticModel {
  const key = keyOfBound(bound)
  const view = own.get(key) ?? viewFor(model, bound, SECRET, shared)
  own.delete(key)
  own.set(key, view)
  for (const views of [own, shared]) {
    const [oldest] = views.keys()
    if (views.size > MOST_VIEWS && oldest !== undefined) views.delete(oldest)
  }
  return view
}
