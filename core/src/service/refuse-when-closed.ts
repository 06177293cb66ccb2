import { GrainlineError } from '../errors.js'
import type { SemanticService } from './semantic-service.js'

type Verbs = Omit<SemanticService, 'executionEnabled' | 'curated' | 'close'>

/** The verbs, each refusing with `SHUTTING_DOWN` once `isClosed`: by throwing, or by rejecting where it answers with a promise. */
export function refuseWhenClosed(verbs: Verbs, isClosed: () => boolean): Verbs {
  const guarded = Object.entries(verbs).map(([name, verb]: [string, (...args: never[]) => unknown]) => {
    const guard = (...args: never[]) => (isClosed() ? refuse(name) : verb(...args))
    return [name, guard] as const
  })
  return Object.fromEntries(guarded) as unknown as Verbs
}

const PROMISING: ReadonlySet<string> = new Set<keyof Verbs>([
  'start',
  'isReady',
  'reloadModels',
  'reopenDatabases',
  'checkPublished',
  'warmUp',
  'createSession',
  'listSessions',
  'deleteSession',
  'reach',
  'loadModel',
  'deleteModel',
  'validate',
  'convert',
  'validateFile',
  'compile',
  'stages',
  'rollupStatement',
  'rollupStatus',
  'buildRollup',
  'verifyRollup',
  'explainInDatabase',
  'execute',
  'rowsBehind',
  'composables',
  'dimensionValues',
  'checkTables',
  'modelColumns',
  'metricTypes',
  'classifySql',
  'compileSql',
  'describeSql',
  'sqlRelations',
  'executeSql',
  'verify',
  'counts',
  'batch',
  'cacheStats',
  'sweepCache',
  'clearCache',
  'heartbeat',
])

function refuse(name: string): Promise<never> {
  const refusal = new GrainlineError('SHUTTING_DOWN', 'The service is stopping')
  if (PROMISING.has(name)) return Promise.reject(refusal)
  throw refusal
}
