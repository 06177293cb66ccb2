import type { ModelHandle, QueryTarget, Service } from '../context.js'

interface ModelPath {
  readonly session_id: string
  readonly model_id: string
}

/** The model of a path, also where another worker holds its session. */
export async function modelOfPath(
  service: Service,
  { session_id: sessionId, model_id: modelId }: ModelPath,
): Promise<ModelHandle> {
  await service.reach({ sessionId })
  return service.getModel(sessionId, modelId)
}

/** The model that a shortcut means, wherever it is held. */
export async function modelOfTarget(service: Service, target: QueryTarget): Promise<ModelHandle> {
  await service.reach(target)
  return service.resolveModel(target)
}
