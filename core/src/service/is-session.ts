import { GrainlineError } from '../errors.js'
import type { ModelService } from './semantic-service.js'
import type { By } from './view-of.js'

/** Whether an id, such as a database name that a client gives, is that of a session which this process holds and the principal may use. */
export function isSession(id: string, service: Pick<ModelService, 'listModels'>, by: By): boolean {
  try {
    return service.listModels(id, by) !== undefined
  } catch (error) {
    if (error instanceof GrainlineError) return false
    throw error
  }
}
