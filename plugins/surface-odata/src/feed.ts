import {
  isSession,
  type ModelHandle,
  type ModelService,
  type Principal,
  type QueryTarget,
  type SqlService,
} from '@grainline/core/surface'
import { type EntitySet, entitySetsOf } from './names/entity-set.js'

/** A model as a feed. */
export interface Feed {
  readonly target: QueryTarget
  readonly sets: readonly EntitySet[]
}

type Service = ModelService & SqlService

/** The feed of a published model, or of the only model of a session. Throws `MODEL_NOT_FOUND` with the nearest names. */
export async function feedOf(name: string, principal: Principal, service: Service): Promise<Feed> {
  await service.reach({ sessionId: name })
  const target = isSession(name, service, principal) ? { sessionId: name } : { model: name }
  await service.reach(target)
  const handle = service.resolveModel(target, principal)
  return { target, sets: await setsOf(relationName(handle, principal, service), handle, service) }
}

/** A statement names a published model by its session, and any other by its own name. */
function relationName({ sessionId, modelId, model }: ModelHandle, principal: Principal, service: ModelService): string {
  const isPublished = service.publishedModels(principal).some((handle) => handle.sessionId === sessionId)
  return isPublished ? sessionId : (model.name ?? modelId)
}

/** By the model, which never changes: the sets of its last name. */
const known = new WeakMap<object, { readonly name: string; readonly sets: readonly EntitySet[] }>()

async function setsOf(name: string, handle: ModelHandle, service: SqlService): Promise<readonly EntitySet[]> {
  const found = known.get(handle.model)
  if (found?.name === name) return found.sets
  const sets = entitySetsOf(name, handle, await service.sqlRelations(handle.model))
  known.set(handle.model, { name, sets })
  return sets
}
