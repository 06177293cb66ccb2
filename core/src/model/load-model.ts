/** Loads models: text or JSON in; the index, or every finding with its position, out. */

import type { Finding } from '../errors.js'
import { entryOf } from '../invariant.js'
import { analyse } from './analyse/analyse.js'
import type { AuthorRights } from './author-rights.js'
import type { ModelDocument } from './document.js'
import { modelSchema } from './document.js'
import { type Fault, Faults, MAX_FAULTS, toFinding } from './faults.js'
import { builtInAggregates } from './functions/aggregates.js'
import { builtInFunctions } from './functions/catalogue.js'
import type { AggregateSpec, FunctionSpec } from './functions/function-spec.js'
import { healthInSteps, type ModelHealth } from './health.js'
import { importedPlaces } from './imported-places.js'
import type { ImportedPlace } from './importer.js'
import { type Merged, mergeParts, type Part, refuseNearAccess, sourceName } from './merge.js'
import { type Place, placeOfOffset, type Segments } from './parse/locate.js'
import { checkJsonInSteps, type ReadText, type TextRules } from './parse/read-text.js'
import { type TextWork, workOnText } from './parse/text-work.js'
import type { SemanticModel } from './semantic-model.js'
import { isRecord, type Schema, ShapeChecker } from './shape.js'

/** A model document as text or as JSON, with the documents that it extends and inherits. */
export interface LoadRequest {
  /** YAML, or JSON, which is YAML too. */
  readonly text?: string
  /** The document as JSON: an object, or its text. */
  readonly json?: unknown
  /** Where values of an imported `json` are in the text that they come from. */
  readonly places?: readonly ImportedPlace[] | undefined
  /** Inline YAML fragments, merged after those that the document itself lists. */
  readonly extends?: readonly string[]
  /** The document of the parent model, already merged. */
  readonly parent?: ModelDocument
  /** The caller has resolved the document's own `extends` and `inherits` (paths of a model file), so they are ignored. */
  readonly resolved?: boolean
  readonly functions?: ReadonlyMap<string, FunctionSpec>
  readonly aggregates?: ReadonlyMap<string, AggregateSpec>
  /** The rights of the author; absent means everything is allowed. */
  readonly rights?: AuthorRights
  /** Entries that one list or mapping may have; 10,000 unless it is set. */
  readonly mostEntries?: number
  /** The client for which threads parse large texts; absent means the server itself. */
  readonly client?: string
}

/** A model, or the reasons why there is none: every error and warning with its position in the text. */
export interface LoadedModel {
  /** Present when there are no errors. */
  readonly model?: SemanticModel
  readonly errors: readonly Finding[]
  readonly warnings: readonly Finding[]
  readonly health?: ModelHealth
  /** Of a model that was imported from another format, the places in its text. */
  readonly places?: readonly ImportedPlace[]
}

/** Loads a model in one call; for tests, the command line and small documents. Never throws for the contents of a document. */
export function parseModelSync(request: LoadRequest): LoadedModel {
  const steps = loadInSteps(request)
  let answer: unknown
  for (;;) {
    const step = answer === undefined ? steps.next() : steps.next(answer)
    if (step.done) return step.value
    answer = step.value && workOnText(step.value)
  }
}

type Step = TextWork | undefined

interface Source {
  readonly part: Part
  readonly text: string | undefined
  /** Of a document that was imported from another format. */
  readonly places?: readonly ImportedPlace[] | undefined
}

/** Loads a model. Yields between its parts, with work on a text if a caller may do that elsewhere. */
export function* loadInSteps(request: LoadRequest): Generator<Step, LoadedModel, unknown> {
  const problems: Finding[] = []
  const main = yield* readMain(request, problems)
  if (!main) return { errors: problems, warnings: [] }
  const own = new Faults()
  const fragments = yield* readFragments(request, main.part.document, own, problems)
  const parent: Source | undefined = request.parent && { part: { source: 'inherits', document: request.parent }, text: undefined }
  checkInherits(request, main.part.document, own)
  for (const { part } of fragments) refuseNearAccess(part, own)
  const sources = [main, ...(parent ? [parent] : []), ...fragments]
  const shapes = new Map<Source, { readonly clean: Part; readonly faults: Faults; readonly broken: ReadonlySet<string> }>()
  for (const source of sources) shapes.set(source, yield* checkShape(source.part))
  const clean = (source: Source): Part => entryOf(shapes, source).clean
  const merged = mergeParts(clean(main), parent && clean(parent), fragments.map(clean), own)
  const written = mergeParts(
    main.part,
    parent?.part,
    fragments.map(({ part }) => part),
    new Faults(),
  )
  const brokenIn = new Map(sources.map((source) => [clean(source), entryOf(shapes, source).broken]))
  const model = yield* analyse({
    document: merged.document,
    written: written.document,
    functions: request.functions ?? builtInFunctions,
    aggregates: request.aggregates ?? builtInAggregates,
    isBroken: (segments) => isBroken(segments, merged, clean(main), brokenIn),
    faults: own,
    rights: request.rights,
  })
  const located: Located[] = [
    ...sources.flatMap((source) =>
      entryOf(shapes, source).faults.list.map((fault) => ({ fault, source, segments: fault.segments })),
    ),
    ...own.list.map((fault) => originOf(fault, { merged, sources, clean, main })),
  ]
  const findings = [...problems, ...(yield* place(located, sources))]
  const omitted = [own, ...[...shapes.values()].map(({ faults }) => faults)].reduce((sum, faults) => sum + faults.omitted, 0)
  return yield* finish(model, findings, omitted)
}

function* finish(model: SemanticModel, findings: readonly Finding[], omitted: number): Generator<undefined, LoadedModel> {
  const errors = findings.filter((finding) => finding.severity === 'error')
  const warnings = findings.filter((finding) => finding.severity === 'warning')
  if (omitted > 0) {
    const code = (errors[0] ?? warnings[0])!.code
    const severity = errors.length > 0 ? 'error' : 'warning'
    const note: Finding = {
      code,
      message: `${omitted} more findings are not listed; at most ${MAX_FAULTS} errors and as many warnings are`,
      path: '',
      severity,
    }
    ;(severity === 'error' ? errors : warnings).push(note)
  }
  if (errors.length > 0) return { errors, warnings }
  return { model, errors, warnings, health: yield* healthInSteps(model, warnings.length) }
}

function* readMain(request: LoadRequest, problems: Finding[]): Generator<Step, Source | undefined, unknown> {
  const { json, text } = request
  if (text === undefined && json !== undefined && typeof json !== 'string') {
    const fault = yield* checkJsonInSteps(json, request.mostEntries)
    if (fault) problems.push(fault)
    return fault || !isRecord(json)
      ? undefined
      : { part: { source: '', document: json }, text: undefined, places: request.places }
  }
  const source = text ?? (json as string | undefined) ?? ''
  return yield* readSource(source, '', problems, { strictJson: text === undefined, mostEntries: request.mostEntries })
}

/** A text as a document; undefined, with the reason reported, if it is none. */
function* readSource(
  text: string,
  source: string,
  problems: Finding[],
  rules: TextRules,
): Generator<Step, Source | undefined, unknown> {
  const read = (yield { kind: 'read', text, ...rules }) as ReadText
  const context = source === '' ? {} : { context: { source } }
  const report = (code: Finding['code'], message: string, place: Place): void => {
    problems.push({ code, message, path: '', severity: 'error', line: place.line, column: place.column, ...context })
  }
  if (read.fault) report(read.fault.code, read.fault.message, placeOfOffset(text, read.fault.offset))
  else if (!isRecord(read.value))
    report('SCHEMA_VALIDATION', 'A model is a mapping of keys, with dataObjects, dimensions and measures', { line: 1, column: 1 })
  else return { part: { source, document: read.value }, text }
  return undefined
}

function* readFragments(
  request: LoadRequest,
  document: Readonly<Record<string, unknown>>,
  faults: Faults,
  problems: Finding[],
): Generator<Step, Source[], unknown> {
  const listed = request.resolved || !Array.isArray(document.extends) ? [] : document.extends
  const texts = [...listed, ...(request.extends ?? [])]
  const fragments: Source[] = []
  for (const [i, text] of texts.entries()) {
    if (typeof text !== 'string') continue
    if (i < listed.length && !/[\n{:]/.test(text)) {
      faults.error(
        'INVALID_SETTING',
        ['extends', i],
        `'${text.slice(0, 80)}' looks like a path; a document from a client takes fragments as inline YAML`,
      )
      continue
    }
    const fragment = yield* readSource(text, `extends[${i}]`, problems, { mostEntries: request.mostEntries })
    if (fragment) fragments.push(fragment)
  }
  return fragments
}

function checkInherits(request: LoadRequest, document: Readonly<Record<string, unknown>>, faults: Faults): void {
  if (request.resolved || request.parent || document.inherits === undefined || document.inherits === null) return
  faults.error(
    'INVALID_SETTING',
    ['inherits'],
    "'inherits' names a model that this service has not loaded; send the id of a loaded model with the request",
  )
}

const SECTIONS = modelSchema as unknown as Schema

/** Checks a part against the schema, section by section. */
function* checkShape(part: Part): Generator<Step, { clean: Part; faults: Faults; broken: ReadonlySet<string> }, unknown> {
  const broken = new Set<string>()
  const faults = new Faults((fault) => {
    for (const entry of brokenEntry(fault)) broken.add(entry)
  })
  const checker = new ShapeChecker(SECTIONS, faults)
  const clean: Record<string, unknown> = {}
  const top = (yield* checker.check(part.document, { ...SECTIONS, properties: lazySections() }, [])) as Record<string, unknown>
  for (const [section, value] of Object.entries(top)) {
    const schema = SECTIONS.properties![section]!
    const checked = yield* checker.check(value, schema, [section])
    if (typeof checked !== 'symbol') clean[section] = checked
  }
  return { clean: { source: part.source, document: clean }, faults, broken }
}

/** The keys of the top level without their contents, which are checked one by one. */
const lazySections = (): Readonly<Record<string, Schema>> =>
  Object.fromEntries(Object.keys(SECTIONS.properties!).map((key) => [key, {}]))

/** The smallest entry that a wrong shape makes invalid. */
function brokenEntry({ segments, severity }: Fault): string[] {
  if (severity !== 'error' || segments.length < 2) return []
  const inObject = segments[0] === 'dataObjects' && segments.length >= 4 && (segments[2] === 'columns' || segments[2] === 'joins')
  return [segments.slice(0, inObject ? 4 : 2).join('\0')]
}

function isBroken(segments: Segments, merged: Merged, main: Part, broken: ReadonlyMap<Part, ReadonlySet<string>>): boolean {
  const origin = merged.origins.size === 0 ? undefined : merged.origins.get(`${segments[0]}\0${segments[1]}`)
  const entries = broken.get(origin?.part ?? main)
  if (entries === undefined || entries.size === 0) return false
  const own = origin ? [segments[0]!, origin.key, ...segments.slice(2)] : segments
  return entries.has(own.join('\0'))
}

interface Located {
  readonly fault: Fault
  readonly source: Source
  /** The path inside the source. */
  readonly segments: Segments
}

/** The texts of a model, before and after they are merged. */
interface Texts {
  readonly merged: Merged
  readonly sources: readonly Source[]
  readonly clean: (source: Source) => Part
  readonly main: Source
}

function originOf(fault: Fault, { merged, sources, clean, main }: Texts): Located {
  const origin = merged.origins.get(`${fault.segments[0]}\0${fault.segments[1]}`)
  const second = (fault.context?.second as { source?: string } | undefined)?.source
  const named = sources.find(({ part }) => part.source !== '' && part.source === (second ?? fault.context?.source))
  const source = named ?? sources.find((candidate) => clean(candidate) === origin?.part) ?? main
  const segments = origin && !named ? [fault.segments[0]!, origin.key, ...fault.segments.slice(2)] : fault.segments
  return { fault, source, segments }
}

/** Looks up the positions of the errors, once per text. */
function* place(located: readonly Located[], sources: readonly Source[]): Generator<Step, Finding[], unknown> {
  const places = new Map<Located, Place>()
  const others = located.flatMap(({ fault }) => firstPlace(fault, sources))
  const all = [...located, ...others]
  for (const source of new Set(all.map((item) => item.source))) {
    const items = all.filter((item) => item.source === source)
    if (source.places) yield* placeImported(items, source.places, places)
    if (source.text === undefined) continue
    const wanted = items.map(({ fault, segments }) => ({ segments, offset: fault.offset, onKey: fault.onKey }))
    const found = (yield { kind: 'locate', text: source.text, wanted }) as Place[]
    for (const [i, item] of items.entries()) places.set(item, found[i]!)
  }
  const firsts = new Map(others.map((item) => [item.fault, places.get(item)]))
  return located.map((item) => {
    const { source } = item.source.part
    const fault = source === '' ? item.fault : { ...item.fault, context: { source, ...item.fault.context } }
    return toFinding(withFirst(fault, firsts.get(item.fault)), places.get(item))
  })
}

function* placeImported(
  items: readonly Located[],
  imported: readonly ImportedPlace[],
  places: Map<Located, Place>,
): Generator<undefined> {
  if (items.length === 0) return
  const placeOf = importedPlaces(imported)
  for (const item of items) {
    yield
    const place = placeOf(item.segments)
    if (place) places.set(item, place)
  }
}

interface First {
  readonly section: string
  readonly source: string
}

/** The first position of a duplicate declaration. */
function firstPlace(fault: Fault, sources: readonly Source[]): Located[] {
  const first = fault.context?.first as First | undefined
  const source = first && sources.find(({ part }) => sourceName(part) === first.source)
  return source ? [{ fault, source, segments: [first.section, fault.segments[1]!] }] : []
}

function withFirst(fault: Fault, place: Place | undefined): Fault {
  if (!place) return fault
  const first = { ...(fault.context!.first as First), line: place.line, column: place.column }
  return { ...fault, message: `${fault.message} (line ${place.line})`, context: { ...fault.context, first } }
}
