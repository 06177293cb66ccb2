import type { QueryTarget } from './held-models.js'
import type { SemanticService } from './semantic-service.js'
import type { Visits } from './visits.js'

type Verbs = Pick<
  SemanticService,
  | 'compile'
  | 'stages'
  | 'execute'
  | 'rowsBehind'
  | 'composables'
  | 'dimensionValues'
  | 'classifySql'
  | 'compileSql'
  | 'describeSql'
  | 'executeSql'
  | 'batch'
  | 'verify'
  | 'checkTables'
  | 'validate'
>

/** The asynchronous methods for a model: each first fetches the state of another worker. */
export function reachFirst(verbs: Verbs, reach: Visits['reach']): Verbs {
  async function reached<R extends { readonly target: QueryTarget }>(request: R): Promise<R> {
    await reach(request.target)
    return request
  }
  return {
    compile: async (request) => verbs.compile(await reached(request)),
    stages: async (request) => verbs.stages(await reached(request)),
    execute: async (request, options) => verbs.execute(await reached(request), options),
    rowsBehind: async (request, options) => verbs.rowsBehind(await reached(request), options),
    composables: async (request) => verbs.composables(await reached(request)),
    dimensionValues: async (request, options) => verbs.dimensionValues(await reached(request), options),
    classifySql: async (request) => verbs.classifySql(await reached(request)),
    compileSql: async (request) => verbs.compileSql(await reached(request)),
    describeSql: async (request) => verbs.describeSql(await reached(request)),
    executeSql: async (request, options) => verbs.executeSql(await reached(request), options),
    batch: async (request, read, signal) => verbs.batch(await reached(request), read, signal),
    async verify(target, options) {
      await reach(target)
      return verbs.verify(target, options)
    },
    async checkTables(target, options) {
      await reach(target)
      return verbs.checkTables(target, options)
    },
    async validate(request, sessionId) {
      if (sessionId !== undefined) await reach({ sessionId })
      return verbs.validate(request, sessionId)
    },
  }
}
