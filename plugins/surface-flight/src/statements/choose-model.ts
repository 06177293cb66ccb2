import { isSession, type ModelService, type Principal, type QueryTarget } from '@grainline/core/surface'

type Service = Pick<ModelService, 'resolveModel' | 'listModels' | 'reach'>

/** Finds a published model by its name, or the models of a session by its id. Throws `MODEL_NOT_FOUND`, which lists similar names. */
export async function chooseModel(name: string | undefined, service: Service, principal: Principal): Promise<QueryTarget> {
  if (name === undefined) return {}
  await service.reach({ sessionId: name })
  try {
    service.resolveModel({ model: name }, principal)
    return { model: name }
  } catch (error) {
    if (isSession(name, service, principal)) return { sessionId: name }
    throw error
  }
}
