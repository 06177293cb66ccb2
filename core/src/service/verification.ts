import { isAdmin, type Principal } from '../auth/principal.js'
import { errorCatalog } from '../error-catalog.js'
import { type Finding, fail, GrainlineError, warning } from '../errors.js'
import type { VendorConnection } from '../execute/vendor.js'
import { unprovedJoins } from '../model/analyse/join-keys.js'
import { importedPlaces } from '../model/imported-places.js'
import type { ImportedPlace } from '../model/importer.js'
import { asOfOf, comparedOf } from '../model/join-term.js'
import type { Segments } from '../model/parse/locate.js'
import type { Join, SemanticModel } from '../model/semantic-model.js'
import { rowsOf, type Value } from '../result/value-at.js'
import { isSame } from '../same.js'
import type { CompiledQuery, ExplainJoin } from '../sql/compiled-query.js'
import type { EdgeReport } from '../verify/report.js'
import type { Ask } from '../verify/verify-context.js'
import { verifyModel } from '../verify/verify-model.js'
import { topic } from '../workers/workers.js'
import { clientOf } from './asking.js'
import { catalogueOf } from './catalogue.js'
import { checkTables } from './check-tables.js'
import { chooseDialect } from './choose-dialect.js'
import type { Connections } from './connections.js'
import type { ModelHandle, QueryTarget } from './held-models.js'
import type { PhysicalCatalogue } from './physical-types.js'
import { placesIn } from './places-in.js'
import { executionEnabled } from './public-settings.js'
import type { ModelService, VerificationService, VerificationSummary } from './semantic-service.js'
import type { ServiceDeps } from './service-deps.js'

/** The number of reports that are stored; the oldest is removed first. */
const REMEMBERED = 1000

export function createVerification(deps: ServiceDeps & { readonly physical: PhysicalCatalogue }, connections: Connections) {
  const { physical } = deps
  const last = new Map<string, Remembered>()
  const running = new Set<AbortController>()
  const catalogue = catalogueOf(deps)

  function remember({ contentHash, ...found }: Verified): void {
    last.delete(contentHash)
    last.set(contentHash, found)
    if (last.size > REMEMBERED) last.delete(last.keys().next().value!)
  }
  deps.workers?.answer(VERIFIED, remember)

  const verify = async (
    resolve: ModelService['resolveModel'],
    ...[target, options]: Parameters<VerificationService['verify']>
  ): ReturnType<VerificationService['verify']> => {
    refuseWithoutExecution(deps)
    const { model, source, places } = wholeModel(resolve, target, options.asker?.principal)
    const dialect = chooseDialect(options.dialect, model, { ...deps, vendor: deps.settings.DB_VENDOR })
    const client = clientOf(options.asker)
    const connection = await connections.open(dialect.name, client)
    const { types } = await physical.read(model, dialect, () => client)
    const controller = new AbortController()
    const abort = () => controller.abort(options.signal?.reason)
    running.add(controller)
    options.signal?.addEventListener('abort', abort, { once: true })
    if (options.signal?.aborted) abort()
    try {
      const ask = askOn(connection, controller.signal, options.timeoutMs)
      const proved = await verifyModel({ model, dialect, ...catalogue(), now: deps.now(), ask, storedTypes: types })
      const report = { ...proved, findings: await withPlaces(proved.findings, source, places) }
      const { checked_at, status, findings } = report
      const broken = report.edges.filter(breaksCardinality)
      const checked = report.edges.map(({ from_object, to_object, columns_from, columns_to }) => {
        return { from_object, to_object, columns_from, columns_to }
      })
      const found = {
        contentHash: model.contentHash,
        summary: { checked_at, status, findings: findings.length },
        broken,
        checked,
      }
      remember(found)
      await deps.workers?.askOthers(VERIFIED, found)
      return report
    } finally {
      running.delete(controller)
      options.signal?.removeEventListener('abort', abort)
    }
  }

  const checkTablesOf = async (
    resolve: ModelService['resolveModel'],
    ...[target, options]: Parameters<VerificationService['checkTables']>
  ): ReturnType<VerificationService['checkTables']> => {
    refuseWithoutExecution(deps)
    const handle = wholeModel(resolve, target, options.asker?.principal)
    const dialect = chooseDialect(options.dialect, handle.model, { ...deps, vendor: deps.settings.DB_VENDOR })
    return checkTables(handle, await connections.open(dialect.name, clientOf(options.asker)), dialect)
  }

  return {
    abortAll() {
      for (const controller of running) controller.abort(new GrainlineError('SHUTTING_DOWN', 'The service is stopping'))
    },
    verbs: (resolve: ModelService['resolveModel']): VerificationService => ({
      verify: (...args) => verify(resolve, ...args),
      checkTables: (...args) => checkTablesOf(resolve, ...args),
      lastVerification: ({ contentHash }) => last.get(contentHash)?.summary,
    }),
    /** What is not proved about the joins of a query: the findings of the last `verify` of the model, or joins that end at no key. */
    faultsOf: (compiled: Pick<CompiledQuery, 'explain'>, model: SemanticModel): readonly Finding[] =>
      faultsOf(compiled, model, last.get(model.contentHash)),
  }
}

function faultsOf(
  compiled: Pick<CompiledQuery, 'explain'>,
  model: SemanticModel,
  known: Remembered | undefined,
): readonly Finding[] {
  const unproved = unprovedJoins(model).filter((join) => !known?.checked.some((edge) => isSame(edge, edgeOf(join))))
  const broken = known?.broken ?? []
  if (broken.length + unproved.length === 0) return []
  const explain = compiled.explain()
  const joins = [...explain.joins, ...explain.cfl_legs.flatMap((leg) => leg.joins)]
  const isRead = (edge: Edge): boolean => joins.some((join) => follows(join, edge))
  return [
    ...unproved.filter((join) => isRead(edgeOf(join))).map(unprovedJoin),
    ...broken.flatMap((edge) => (known && isRead(edge) ? [brokenJoin(edge, known.summary)] : [])),
  ]
}

/** What is found about the data concerns all rows, so it is for administrators if a model has access rules. */
function wholeModel(resolve: ModelService['resolveModel'], target: QueryTarget, by: Principal | undefined): ModelHandle {
  const seen = resolve(target, by)
  if (seen.model.restriction === undefined) return seen
  if (by === undefined || !isAdmin(by))
    fail('ADMIN_REQUIRED', 'The model has access rules; its data is verified by administrators')
  return resolve({ sessionId: seen.sessionId, modelId: seen.modelId }, undefined)
}

function refuseWithoutExecution({ settings }: Pick<ServiceDeps, 'settings'>): void {
  if (executionEnabled(settings)) return
  fail('EXECUTION_DISABLED', 'Execution is off; QUERY_EXECUTE=true turns it on')
}

interface Remembered {
  readonly summary: VerificationSummary
  /** Joins that match more rows than they declare. */
  readonly broken: readonly EdgeReport[]
  readonly checked: readonly Edge[]
}

interface Verified extends Remembered {
  readonly contentHash: string
}

/** Workers share the results of a verification. */
const VERIFIED = topic<Verified, void>('verified')

const breaksCardinality = ({ join_type, duplicate_targets, duplicate_sources }: EdgeReport): boolean =>
  (join_type !== 'many-to-many' && duplicate_targets > 0) || (join_type === 'one-to-one' && duplicate_sources > 0)

type Edge = Pick<EdgeReport, 'from_object' | 'to_object' | 'columns_from' | 'columns_to'>

const edgeOf = ({ from, to, on }: Join): Edge => ({
  from_object: from,
  to_object: to,
  columns_from: comparedOf(on, 'from'),
  columns_to: comparedOf(on, 'to'),
})

function unprovedJoin({ from, to, cardinality, on }: Join): Finding {
  const effect = asOfOf(on)
    ? 'so of several rows of one time the greatest key decides'
    : 'so numbers here may count a row several times'
  const message = `The join of '${from}' to '${to}' is declared ${cardinality} but ends at ${comparedOf(on, 'to').join(', ')}, which is no key of '${to}', ${effect}; verify has not proved it`
  return warning('JOIN_NOT_TO_A_KEY', message, { hint: errorCatalog.JOIN_NOT_TO_A_KEY.fix, context: { from, to } })
}

/** Whether a join of a query follows an edge, in either direction. */
function follows({ from_object, to_object, join_columns }: ExplainJoin, edge: Edge): boolean {
  const same = (columns: readonly string[]): boolean => columns.join('\0') === join_columns.join('\0')
  if (from_object === edge.from_object && to_object === edge.to_object) return same(edge.columns_from)
  return from_object === edge.to_object && to_object === edge.from_object && same(edge.columns_to)
}

function brokenJoin({ from_object: from, to_object: to, join_type }: EdgeReport, { checked_at }: VerificationSummary): Finding {
  const message = `The join of '${from}' to '${to}' is declared ${join_type}, and verify found rows that it meets several times (${checked_at}), so numbers here may count a row several times`
  return warning('VERIFY_CARDINALITY', message, { hint: errorCatalog.VERIFY_CARDINALITY.fix, context: { from, to } })
}

function askOn(connection: VendorConnection, signal: AbortSignal, timeoutMs: number | undefined): Ask {
  return async (sql, schema) => {
    const rows: Value[][] = []
    for await (const batch of connection.query(sql, { schema, signal, ...(timeoutMs !== undefined && { timeoutMs }) })) {
      rows.push(...rowsOf(batch, schema))
    }
    return rows
  }
}

/** The findings with the lines and columns in the model's text. */
async function withPlaces(
  findings: readonly Finding[],
  text: string,
  imported: readonly ImportedPlace[] | undefined,
): Promise<readonly Finding[]> {
  if (findings.length === 0) return findings
  if (imported) {
    const placeOf = importedPlaces(imported)
    return findings.map((finding) => ({ ...finding, ...placeOf(segmentsOf(finding.path)) }))
  }
  const places = await placesIn(
    text,
    findings.map(({ path }) => ({ segments: segmentsOf(path), onKey: true })),
  )
  return findings.map((finding, i) => ({ ...finding, ...places[i] }))
}

/** `dataObjects.Order Items.joins[0]`; a name may contain dots itself. */
function segmentsOf(path: string): Segments {
  const [, section, name, join, key] = /^(\w+)\.(.*?)(?:\.joins\[(\d+)\]|\.(weight))?$/s.exec(path) ?? []
  if (section === undefined || name === undefined) return []
  if (key !== undefined) return [section, name, key]
  return join === undefined ? [section, name] : [section, name, 'joins', Number(join)]
}
