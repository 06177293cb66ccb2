/** From the checked document to the index. All errors are reported; the index is returned only if there are none. */
import type { AuthorRights } from '../author-rights.js'
import { contentHash } from '../content-hash.js'
import type { DataObjectDocument, ModelDocument } from '../document.js'
import { type ColumnRef, leavesOf } from '../expression/ast.js'
import type { Faults } from '../faults.js'
import type { AggregateSpec, FunctionSpec } from '../functions/function-spec.js'
import { orphanObjects } from '../health.js'
import { findKeyColumns } from '../key-columns.js'
import type { Segments } from '../parse/locate.js'
import type { DataObject, Dimension, Example, Join, Measure, SemanticModel } from '../semantic-model.js'
import { readAccess } from './access.js'
import { readGrains } from './calendars.js'
import { checkColumnsOfOtherRows } from './check-columns-of-other-rows.js'
import { checkUnits } from './check-units.js'
import { typeClosures, withClosureParts } from './closures.js'
import { readColumns } from './columns.js'
import { type Context, entriesOf, knowsObject } from './context.js'
import { refuseCyclicFilters } from './cyclic-filters.js'
import { declareObjects, readObjects } from './data-objects.js'
import { readDimensions } from './dimensions.js'
import { readStaticFilters } from './filters.js'
import { withGeneratedColumns } from './generated-columns.js'
import { readGranularities } from './granularities.js'
import { forwardGraph, severalWays } from './join-graph.js'
import { warnOfJoinsWithoutKey } from './join-keys.js'
import { readJoins } from './joins.js'
import { warnOfKeysOverTime } from './keys-over-time.js'
import { type NamePlace, warnOfLookAlikes } from './look-alikes.js'
import { withMeasureParameters } from './measure-parameters.js'
import { readMeasures } from './measures.js'
import { readMetrics } from './metrics.js'
import { type NestedParts, readNested } from './nested.js'
import { readParameters } from './parameters.js'
import { refuseParametersInKeys, warnOfParametersInFilters } from './parameters-in-rules.js'
import { readRollups } from './rollups.js'
import { addRowCounts } from './row-counts.js'
import { readSegments } from './segments.js'
import { readSettings } from './settings.js'
import { checkStatuses, withSoundStatus } from './statuses.js'
import { readViews } from './views.js'
import { warnOfChosenWays, warnOfUnreachable } from './ways.js'

export interface AnalysisInput {
  /** The part of the document that fits the schema. */
  readonly document: ModelDocument
  /** The document as written, merged with its parents; it is hashed and stored. */
  readonly written: ModelDocument
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
  readonly isBroken: (segments: Segments) => boolean
  readonly faults: Faults
  /** The rights of the author; absent means everything is allowed. */
  readonly rights?: AuthorRights | undefined
}

/** Yields between entries and between passes over all of them, so that a caller may let others run. */
export function* analyse(input: AnalysisInput): Generator<undefined, SemanticModel> {
  const { document, faults } = input
  const reading = {
    ...input,
    portable: document.settings?.expressionMode === 'portable',
    objects: new Map(),
  }
  const settings = readSettings(document.settings ?? {}, reading)
  const grains = readGrains(reading, settings.weekStart)
  const parameters = readParameters(reading)
  const context: Context = {
    ...reading,
    document: withClosureParts(withGeneratedColumns(document, grains), faults),
    grains,
    parameters,
  }
  yield* checkNames(context)
  yield* declareObjects(context)
  if (settings.mainFact !== undefined) knowsObject(settings.mainFact, ['settings', 'mainFact'], context)
  yield
  if (context.objects.size === 0) faults.error('SCHEMA_VALIDATION', [], "A model needs 'dataObjects'")
  yield* readColumns(context)
  const all = yield* readRelations(context)
  const several = yield* severalWays(all)
  const everyJoin = forwardGraph(all, true)
  yield
  const dimensions = yield* readDimensions({ all: everyJoin, several }, context)
  warnOfChosenWays(several, dimensions, context)
  yield* warnOfUnreachable(dimensions, everyJoin, context)
  const measures = yield* readMeasures(dimensions, context)
  yield* addRowCounts(measures, context)
  const metrics = withSoundStatus(yield* readMetrics({ measures, dimensions }, context), measures, context)
  yield
  checkStatuses({ dimensions, measures, metrics }, context)
  yield
  const filters = readStaticFilters(document.filters ?? [], context)
  const segments = readSegments(context)
  yield
  const views = readViews({ dimensions, measures, metrics }, context)
  const examples = readExamples(context)
  yield
  const objects = new Map([...context.objects].flatMap(([name, draft]) => (draft.object ? [[name, draft.object] as const] : [])))
  const written = { dataObjects: objects, dimensions, measures, metrics }
  yield
  yield* checkColumnsOfOtherRows(written, context)
  refuseCyclicFilters(written, filters, context)
  yield
  const dataObjects = withMeasureParameters(written, parameters)
  const fields = { ...written, dataObjects }
  const access = readAccess(input.written, { ...fields, segments, filters }, context)
  yield
  yield* warnOfOrphans(dataObjects, yield* fieldsRead(dimensions, measures), context)
  yield* checkKeys(dataObjects, settings, context)
  warnOfParametersInFilters({ dataObjects, filters }, context)
  yield
  yield* checkUnits({ ...fields, filters, parameters }, context)
  return {
    name: document.name,
    description: document.description,
    owner: document.owner,
    version: document.version,
    contentHash: yield* contentHash(input.written),
    settings,
    dataObjects,
    dimensions,
    measures,
    metrics,
    filters,
    segments,
    views,
    rollups: readRollups({ ...fields, filters, segments }, all, context),
    grains: context.grains,
    parameters: context.parameters,
    examples,
    access,
    document: input.written,
  }
}

/** Completes the data objects with the joins between them. Returns the joins. */
function* readRelations(context: Context): Generator<undefined, readonly Join[]> {
  typeClosures(context)
  yield
  const declared = yield* readJoins(context)
  yield* readGranularities(context)
  const nested = readNested(context)
  yield
  const joins = withNested(declared, nested)
  yield
  yield* readObjects(joins, nested, context)
  yield
  return [...joins.values()].flat()
}

function* checkKeys(
  dataObjects: ReadonlyMap<string, DataObject>,
  { defaultTimezone, strictJoins }: SemanticModel['settings'],
  context: Context,
): Generator<undefined> {
  yield* findKeyColumns(dataObjects)
  yield* warnOfKeysOverTime(dataObjects, defaultTimezone, context)
  warnOfJoinsWithoutKey(dataObjects, strictJoins, context)
  yield
  refuseParametersInKeys(dataObjects, context)
}

/** Elements join the rows that contain them, unless the author declares another join. */
function withNested(
  declared: ReadonlyMap<string, readonly Join[]>,
  nested: ReadonlyMap<string, NestedParts>,
): ReadonlyMap<string, readonly Join[]> {
  const implied = [...nested].filter(([name, { join }]) => !declared.get(name)?.some(({ to }) => to === join.to))
  return new Map([...declared, ...implied.map(([name, { join }]) => [name, [...(declared.get(name) ?? []), join]] as const)])
}

const FIELD_SECTIONS = ['dimensions', 'measures', 'metrics'] as const

/** Fields share one namespace, and no name may be empty. */
function* checkNames(context: Context): Generator<undefined> {
  const seen = new Map<string, string>()
  for (const section of ['dataObjects', ...FIELD_SECTIONS] as const) {
    for (const name of Object.keys(context.document[section] ?? {})) {
      yield
      if (name.trim() === '')
        context.faults.error('SCHEMA_VALIDATION', [section, name], 'A name must not be empty', { onKey: true })
      if (section === 'dataObjects') continue
      const other = seen.get(name)
      if (other !== undefined) {
        context.faults.error('DUPLICATE_IDENTIFIER', [section, name], `'${name}' is already the name of an entry of '${other}'`, {
          onKey: true,
        })
      }
      seen.set(name, section)
    }
    yield
  }
  yield* warnOfLookAlikes(namesOf(['dataObjects'], context), context.faults)
  yield* warnOfLookAlikes(namesOf(FIELD_SECTIONS, context), context.faults)
}

function* namesOf(
  sections: readonly ((typeof FIELD_SECTIONS)[number] | 'dataObjects')[],
  { document }: Context,
): Generator<NamePlace> {
  for (const section of sections) for (const name of Object.keys(document[section] ?? {})) yield { section, name }
}

function readExamples(context: Context): Example[] {
  const seen = new Set<string>()
  return (context.document.examples ?? []).flatMap((entry, i) => {
    const segments = ['examples', i]
    if (context.isBroken(segments)) return []
    if (seen.has(entry.name))
      context.faults.error('DUPLICATE_EXAMPLE_NAME', [...segments, 'name'], `Two examples are called '${entry.name}'`)
    seen.add(entry.name)
    const { name, description, query } = entry
    return [{ name, description, intentTags: entry.intent_tags ?? entry.intentTags ?? [], query }]
  })
}

const hasBrokenJoin = (name: string, { joins = [] }: DataObjectDocument, context: Context): boolean =>
  joins.some((_, i) => context.isBroken(['dataObjects', name, 'joins', i]))

/** The objects that dimensions and measures read: an object with fields answers questions without a join. */
function* fieldsRead(
  dimensions: ReadonlyMap<string, Dimension>,
  measures: ReadonlyMap<string, Measure>,
): Generator<undefined, ReadonlySet<string>> {
  const read = new Set([...dimensions.values()].map(({ dataObject }) => dataObject))
  for (const { inputs } of measures.values()) {
    yield
    for (const input of inputs) for (const { object } of leavesOf<ColumnRef>(input)) read.add(object)
  }
  return read
}

function* warnOfOrphans(
  dataObjects: ReadonlyMap<string, DataObject>,
  read: ReadonlySet<string>,
  context: Context,
): Generator<undefined> {
  // A refused join still shows that its objects should be joined.
  if (dataObjects.size !== context.objects.size || context.faults.list.some((fault) => fault.segments[2] === 'joins')) return
  for (const [name, entry] of entriesOf(context.document.dataObjects)) {
    yield
    if (hasBrokenJoin(name, entry, context)) return
  }
  for (const name of orphanObjects({ dataObjects }).filter((object) => !read.has(object))) {
    yield
    context.faults.warn('ORPHAN_DATA_OBJECT', ['dataObjects', name], `No join leads to or from '${name}'`, { onKey: true })
  }
}
