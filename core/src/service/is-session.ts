import { GrainlineError } from '../errors.js'
import type { ModelService } from './semantic-service.js'

/** Whether an id, such as a database name that a client gives, is that of a session which this process holds. */
export function isSession(id: string, service: Pick<ModelService, 'listModels'>): boolean {
  try {
    return service.listModels(id, undefined) !== undefined
  } catch (error) {
    if (error instanceof GrainlineError) return false
    throw error
  }
}
