import { fail, GrainlineError } from '../errors.js'
import type { VendorConnection } from '../execute/vendor.js'
import { type Value, valueAt } from '../result/value-at.js'
import type { Ask } from '../verify/verify-context.js'
import { verifyModel } from '../verify/verify-model.js'
import { catalogueOf } from './catalogue.js'
import { chooseDialect } from './choose-dialect.js'
import type { Connections } from './connections.js'
import type { ModelHandle, QueryTarget } from './held-models.js'
import { executionEnabled } from './public-settings.js'
import type { SemanticService, VerificationSummary } from './semantic-service.js'
import type { ServiceDeps } from './service-deps.js'

/** Reports that are remembered; the oldest goes first. */
const REMEMBERED = 1000

export function createVerification(deps: ServiceDeps, connections: Connections) {
  const last = new Map<string, VerificationSummary>()
  const running = new Set<AbortController>()
  const catalogue = catalogueOf(deps)

  const verify = async (
    resolve: (target: QueryTarget) => ModelHandle,
    ...[target, options = {}]: Parameters<SemanticService['verify']>
  ): ReturnType<SemanticService['verify']> => {
    if (!executionEnabled(deps.settings)) {
      fail('EXECUTION_DISABLED', 'The database is not asked here; QUERY_EXECUTE=true turns execution on')
    }
    const { model } = resolve(target)
    const dialect = chooseDialect(options.dialect, model, { ...deps, vendor: deps.settings.DB_VENDOR })
    const connection = await connections.open(dialect.name)
    const controller = new AbortController()
    const abort = () => controller.abort(options.signal?.reason)
    running.add(controller)
    options.signal?.addEventListener('abort', abort, { once: true })
    if (options.signal?.aborted) abort()
    try {
      const ask = askOn(connection, controller.signal, options.timeoutMs)
      const report = await verifyModel({ model, dialect, ...catalogue(), now: deps.now(), ask })
      const { checked_at, status, findings } = report
      last.delete(model.contentHash)
      last.set(model.contentHash, { checked_at, status, findings: findings.length })
      if (last.size > REMEMBERED) last.delete(last.keys().next().value!)
      return report
    } finally {
      running.delete(controller)
      options.signal?.removeEventListener('abort', abort)
    }
  }

  return {
    abortAll() {
      for (const controller of running) controller.abort(new GrainlineError('SHUTTING_DOWN', 'The service is stopping'))
    },
    verbs: (resolve: (target: QueryTarget) => ModelHandle): Pick<SemanticService, 'verify' | 'lastVerification'> => ({
      verify: (...args) => verify(resolve, ...args),
      lastVerification: ({ contentHash }) => last.get(contentHash),
    }),
  }
}

function askOn(connection: VendorConnection, signal: AbortSignal, timeoutMs: number | undefined): Ask {
  return async (sql, schema) => {
    const rows: Value[][] = []
    for await (const batch of connection.query(sql, { schema, signal, ...(timeoutMs !== undefined && { timeoutMs }) })) {
      for (let row = 0; row < batch.rowCount; row++) {
        rows.push(batch.columns.map((vector, i) => valueAt(vector, row, schema[i]!.type)))
      }
    }
    return rows
  }
}
