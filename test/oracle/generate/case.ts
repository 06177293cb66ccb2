/** One generated case: a model, its rows and a query. */
import { CASES_OF_A_MODEL } from '../../support/amount.js'
import { evaluate, type Outcome } from '../evaluate.js'
import type { ModelJson, QueryJson, Tables } from '../model.js'
import { generateData } from './data.js'
import { asksEverything, extendModel, type Later, laterKinds } from './later.js'
import { withPartMeasures, withParts } from './later-beside.js'
import { withCalendars } from './later-calendars.js'
import { askedOfClocks, withClocks } from './later-clocks.js'
import { askedOfCoarse, withCoarse } from './later-coarse.js'
import { withCounted, withCounts } from './later-counts.js'
import { withEntities } from './later-entities.js'
import { withEver, withEverMeasures } from './later-ever.js'
import { withExistence } from './later-existence.js'
import { segments } from './later-fields.js'
import { withForeignKeys } from './later-foreign.js'
import { withKeyDimensions, withKeys } from './later-keys.js'
import { askedOfMissing, withMissing } from './later-missing.js'
import { withNameDimensions, withNames } from './later-names.js'
import { askedOfParameters, type Parameterized, withParameters } from './later-parameters.js'
import { askedOfPeriods, withPeriods } from './later-periods.js'
import { askedOfRanges, withRanges } from './later-ranges.js'
import { withReferring } from './later-referring.js'
import { withRowsOf } from './later-rows-of.js'
import { askedOfShown } from './later-shown.js'
import { askedOfSisters, withSisters } from './later-sisters.js'
import { askedInOrder, withSorted } from './later-sorted.js'
import { withSpecials } from './later-specials.js'
import { isStar, starOf, starQuery } from './later-star.js'
import { comparedWithUuids, withStorage } from './later-storage.js'
import { termsQuery, termsRandom, withTerms } from './later-terms.js'
import { withTop } from './later-top.js'
import { withDepths, withTrees } from './later-trees.js'
import { withValidity } from './later-validity.js'
import { askedOfViews, withViews } from './later-views.js'
import { withWhole, withWholeMetrics } from './later-whole.js'
import { withWindowed } from './later-windowed.js'
import { withYears, yearsQuery, yearsRandom } from './later-years.js'
import { withZones } from './later-zones.js'
import { generateModel } from './model.js'
import { ODD_TIMES, type OddTimes, SENTINEL_DAYS, SENTINELS } from './pools.js'
import { conditions, generateQuery } from './query.js'
import { hashOf, type Random, randomFrom } from './random.js'

export interface Case {
  readonly model: ModelJson
  readonly data: Tables
  readonly query: QueryJson
}

/** The share of models with sisters, if every kind is requested. */
const SOME_MODELS = 0.2
/** Models of their own, in place of others. */
const SOME_STARS = 0.06

type Ground = Pick<Case, 'model' | 'data'> & {
  /** The model without dimensions that are keys: they are drawn separately. */
  readonly unkeyed: ModelJson
  readonly asked: readonly Later[]
  readonly odd: OddTimes | undefined
  /** The values of parameters that its queries give. */
  readonly given: Parameterized['given'] | undefined
}
let latest: { readonly key: string; readonly ground: Ground } | undefined

/** Case `index` of a run: the same seed and kinds give the same cases. `later` names the kinds beyond the basic language. */
export function generateCase(seed: number, index: number, later = laterKinds()): Case & { readonly expected: Outcome } {
  const random = randomFrom(Math.imul(seed, 0x85ebca6b) + Math.imul(index + 1, 0xc2b2ae35))
  const known = groundOf(seed, Math.floor(index / CASES_OF_A_MODEL), later)
  return { model: known.model, data: known.data, ...answerable(random, known) }
}

/** The model of some cases, without a query. */
export const generatedModelWith = (seed: number, later: readonly Later[]): ModelJson => groundOf(seed, 0, later).model

/** The same objects as long as the queries have the same data, so that the data need not be loaded again. */
function groundOf(seed: number, number: number, later: readonly Later[]): Ground {
  const key = `${seed} ${number} ${later}`
  if (latest?.key !== key)
    latest = {
      key,
      ground: withMore(
        seed,
        number,
        later,
        ground(randomFrom(Math.imul(seed, 0x9e3779b1) + Math.imul(number + 1, 0x27d4eb2f)), later),
      ),
    }
  return latest.ground
}

/** Drawn from a separate random source, so that the rest of a case is the same without them. */
function withMore(seed: number, number: number, later: readonly Later[], plain: Ground): Ground {
  const random = randomFrom(Math.imul(seed, 0xc2b2ae35) + Math.imul(number + 1, 0x165667b1))
  const special = later.includes('specials') ? withSpecials(random, plain.model, plain.data) : plain.data
  const sister = randomFrom(Math.imul(seed, 0x165667b1) + Math.imul(number + 1, 0x9e3779b1))
  const isBroad = later.includes('sisters') && (!asksEverything(later) || sister.chance(SOME_MODELS))
  const broad = isBroad ? withSisters(sister, plain.model, special) : { model: plain.model, data: special }
  const foreign = randomFrom(Math.imul(seed, 0x27d4eb2f) + Math.imul(number + 1, 0x85ebca6b))
  const referring = withForeignKeys(foreign, broad.model, broad.data)
  const trees = randomFrom(hashOf(`trees ${seed} ${number}`))
  const isTree = later.includes('trees') && (!asksEverything(later) || trees.chance(SOME_MODELS))
  const grown = isTree ? withTrees(trees, referring.model, referring.data) : referring
  const history = randomFrom(hashOf(`validity ${seed} ${number}`))
  const isDated = later.includes('validity') && (!asksEverything(later) || history.chance(SOME_MODELS))
  const { model: linked, data } = isDated ? withValidity(history, grown.model, grown.data) : grown
  const entities = randomFrom(hashOf(`entities ${seed} ${number}`))
  const isMeasured = later.includes('entities') && (!asksEverything(later) || entities.chance(SOME_MODELS))
  const measured = isMeasured ? withEntities(entities, { model: linked, data }, later) : linked
  const existence = randomFrom(hashOf(`existence ${seed} ${number}`))
  const isTested = later.includes('existence') && (!asksEverything(later) || existence.chance(SOME_MODELS))
  const tested = isTested ? withExistence(existence, { model: measured, data }, later) : measured
  const places = randomFrom(hashOf(`windowed ${seed} ${number}`))
  const isPlaced = later.includes('windowed') && (!asksEverything(later) || places.chance(SOME_MODELS))
  const placed = isPlaced ? withWindowed(places, { model: tested, data }, later) : tested
  const unkeyed = later.includes('grain') ? withCounts(random, placed) : placed
  const named = later.includes('grain') ? withNameDimensions(withEverMeasures(random, withKeyDimensions(unkeyed))) : unkeyed
  const whole = later.includes('grain') ? withWholeMetrics(random, withPartMeasures(random, named)) : named
  const periods = randomFrom(hashOf(`periods ${seed} ${number}`))
  const isCompared = later.includes('periods') && (!asksEverything(later) || periods.chance(SOME_MODELS))
  const compared = isCompared ? withPeriods(periods, whole, data) : { model: whole, data }
  const ranges = randomFrom(hashOf(`ranges ${seed} ${number}`))
  const isRanged = later.includes('ranges') && (!asksEverything(later) || ranges.chance(SOME_MODELS))
  const timed = isRanged ? withRanges(ranges, compared.model, compared.data) : compared
  const clocks = randomFrom(Math.imul(seed, 0x85ebca6b) + Math.imul(number + 1, 0x27d4eb2f))
  const model = plain.odd && clocks.chance(0.5) ? withClocks(clocks, timed.model, plain.odd) : timed.model
  const sorts = randomFrom(hashOf(`sorted ${seed} ${number}`))
  const isSorted = later.includes('sorted') && (!asksEverything(later) || sorts.chance(SOME_MODELS))
  const star = randomFrom(hashOf(`star ${seed} ${number}`))
  const isAround = later.includes('star') && (!asksEverything(later) || star.chance(SOME_STARS))
  const coarse = randomFrom(hashOf(`coarse ${seed} ${number}`))
  const isCoarse = later.includes('coarse') && (!asksEverything(later) || coarse.chance(SOME_MODELS))
  if (isAround) {
    const plainStar = starOf(star, isCoarse)
    const isYears = later.includes('years') && (!asksEverything(later) || star.chance(0.5))
    const yearly = isYears ? withYears(yearsRandom(seed, number), plainStar) : plainStar
    const terms = termsRandom(seed, number)
    const isOfTerms = later.includes('terms') && (!asksEverything(later) || terms.chance(0.5))
    const around = isOfTerms ? withTerms(terms, yearly) : yearly
    return { ...plain, unkeyed, ...around, model: isCoarse ? withCoarse(coarse, around.model) : around.model, given: undefined }
  }
  const grained = isCoarse ? withCoarse(coarse, model) : model
  const sorted = isSorted ? withSorted(sorts, grained) : grained
  const parameters = randomFrom(hashOf(`parameters ${seed} ${number}`))
  const isOpen = later.includes('parameters') && (!asksEverything(later) || parameters.chance(SOME_MODELS))
  const { model: open, given } = isOpen ? withParameters(parameters, sorted) : { model: sorted, given: undefined }
  const missing = randomFrom(hashOf(`missing ${seed} ${number}`))
  const kept = later.includes('missing') ? withMissing(missing, open) : open
  const views = randomFrom(hashOf(`views ${seed} ${number}`))
  const isViewed = later.includes('views') && (!asksEverything(later) || views.chance(SOME_MODELS))
  const viewed = isViewed ? withViews(views, kept, () => conditions(views, unkeyed, { select: {} })) : kept
  return { ...plain, unkeyed, model: withDepths(viewed, timed.data), data: timed.data, given }
}

function ground(random: Random, later: readonly Later[]): Ground {
  // If every kind is requested, only in some models: with more objects fewer queries have an answer for all of them.
  const some = (kind: Later): boolean => later.includes(kind) && (!asksEverything(later) || random.chance(0.3))
  const shape = { nested: some('nested'), ways: some('ways') }
  const straight = generateModel(random, { ...shape, bridges: bridgesOf(some('bridges'), later) })
  const extended = later.length === 0 ? straight : extendModel(random, straight, later)
  const dated = later.includes('calendars') ? withCalendars(random, extended) : extended
  const odd = later.includes('zones') ? { ...random.pick(ODD_TIMES), ...(later.includes('ends') && FAR) } : undefined
  const zoned = odd ? withZones(random, dated, odd) : dated
  const segmented = later.includes('segments') ? withSegments(random, zoned) : zoned
  const model = later.includes('storage') ? withStorage(random, segmented) : segmented
  // From the first possible date to the last there are too many periods to be filled.
  const filled = later.includes('gaps') && random.chance(0.5)
  const asked = odd && !filled ? later.filter((kind) => kind !== 'gaps') : later
  const held = odd && { ...odd, ...(!later.includes('sentinels') && NEAR), ...(!later.includes('forever') && notMoved(model)) }
  return { model, unkeyed: model, data: generateData(random, model, filled ? undefined : held), asked, odd, given: undefined }
}

/** Queries may use them even if tables cannot contain them. */
const FAR = { farDays: SENTINEL_DAYS, farTimes: SENTINELS, farInstants: SENTINELS }

const NEAR = { farDays: undefined, farTimes: undefined, farInstants: undefined }
/** If an engine does not convert such timestamps between zones. */
const notMoved = ({ settings }: ModelJson) => ({
  farInstants: undefined,
  ...(settings?.defaultTimezone !== undefined && { farTimes: undefined }),
})

/** Double weights only if no metric reads values at dimensions that the query does not name. */
const bridgesOf = (asked: boolean, later: readonly Later[]) =>
  asked ? (later.every((k) => k === 'bridges' || k === 'ways') ? 'floats' : 'exact') : undefined

const withSegments = (random: Random, model: ModelJson): ModelJson => ({
  ...model,
  segments: segments(random, () => conditions(random, model, { select: {} })),
})

/** Mostly a query that has an answer: refusals must be tested too, but are easy to generate. */
function answerable(
  random: Random,
  { model, unkeyed, data, asked, odd, given }: Ground,
): { readonly query: QueryJson; readonly expected: Outcome } {
  const ask = (): QueryJson => {
    const query = askedInView()
    if (!asked.includes('shown')) return query
    return askedOfShown(randomFrom(hashOf(`shown ${JSON.stringify(query)}`)), model, query, !asksEverything(asked))
  }
  const askedInView = (): QueryJson => {
    if (isStar(model))
      return coarse(ofTerms(model.calendars ? yearsQuery(random, model, starQuery(random, model)) : starQuery(random, model)))
    const query = coarse(kept(clocked()))
    const settled = given ? askedOfParameters(randomFrom(hashOf(`parameters ${JSON.stringify(query)}`)), query, given) : query
    if (!model.views) return settled
    return askedOfViews(randomFrom(hashOf(`views ${JSON.stringify(settled)}`)), model, settled, !asksEverything(asked))
  }
  const ofTerms = (query: QueryJson): QueryJson => (model.dimensions?.['Term'] ? termsQuery(random, model, query) : query)
  const coarse = (query: QueryJson): QueryJson =>
    asked.includes('coarse') ? askedOfCoarse(randomFrom(hashOf(`coarse ${JSON.stringify(query)}`)), model, query) : query
  const clocked = (): QueryJson => {
    const query = fillable(
      ranged(compared(asked.includes('rows') ? withRowsOf(model, other(), !asksEverything(asked)) : other())),
    )
    const clocked = odd ? askedOfClocks(randomFrom(hashOf(`clocks ${JSON.stringify(query)}`)), model, query, odd) : query
    return asked.includes('sorted')
      ? askedInOrder(randomFrom(hashOf(`sorted ${JSON.stringify(clocked)}`)), model, clocked)
      : clocked
  }
  const kept = (query: QueryJson): QueryJson =>
    asked.includes('missing') ? askedOfMissing(randomFrom(hashOf(`missing ${JSON.stringify(query)}`)), query) : query
  // From the first possible date to the last there are too many periods to be filled.
  const fillable = ({ fill_gaps, ...query }: QueryJson): QueryJson =>
    fill_gaps === undefined || (odd && !asked.includes('gaps')) ? query : { ...query, fill_gaps: odd ? true : fill_gaps }
  const ranged = (query: QueryJson): QueryJson =>
    asked.includes('ranges')
      ? askedOfRanges(randomFrom(hashOf(`ranges ${JSON.stringify(query)}`)), model, query, !asksEverything(asked))
      : query
  const compared = (query: QueryJson): QueryJson =>
    asked.includes('periods')
      ? askedOfPeriods(randomFrom(hashOf(`periods ${JSON.stringify(query)}`)), model, query, !asksEverything(asked))
      : query
  const other = (): QueryJson => {
    const plain = comparedWithUuids(unkeyed, generateQuery(random, unkeyed, asked, odd))
    const query = asked.includes('grain') ? withCounted(randomFrom(hashOf(JSON.stringify(plain))), unkeyed, plain) : plain
    const topped = asked.includes('top') ? withTop(unkeyed, query, !asksEverything(asked)) : query
    const broad = asked.includes('sisters')
      ? askedOfSisters(randomFrom(hashOf(`sisters ${JSON.stringify(topped)}`)), model, topped)
      : topped
    if (!asked.includes('grain') || broad !== topped) return broad
    const keyed = withKeys(randomFrom(hashOf(`keys ${JSON.stringify(topped)}`)), model, topped)
    const named = keyed === topped ? withNames(randomFrom(hashOf(`names ${JSON.stringify(topped)}`)), model, topped) : keyed
    const ever = withEver(randomFrom(hashOf(`ever ${JSON.stringify(topped)}`)), model, named)
    const parted = ever === topped ? withParts(randomFrom(hashOf(`parts ${JSON.stringify(topped)}`)), model, topped) : ever
    const whole = parted === topped ? withWhole(randomFrom(hashOf(`whole ${JSON.stringify(topped)}`)), model, topped) : parted
    return whole === topped ? withReferring(randomFrom(hashOf(`referring ${JSON.stringify(topped)}`)), model, topped) : whole
  }
  let query = ask()
  let expected = evaluate(model, data, query)
  for (let tries = random.chance(0.15) ? 0 : 7; tries > 0 && ('refused' in expected || expected.rows.length === 0); tries--) {
    query = ask()
    expected = evaluate(model, data, query)
  }
  return { query, expected }
}
