/** Which conditions reach the rows of an aggregate, which do not, and which warnings a query gets. */
import t from 'tap'
import { aggregateQuery, resolved } from '../../../test/support/bound.js'
import { MATCHING_RETURNS, manyToOne, PARCELS_AND_LABELS, shop, shopWith } from '../../../test/support/models.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { conjunctsFor, conjunctsForMeasure, missed, NO_REACH, type Reach, reachWarnings } from './reach.js'

const paid = { field: 'Status', op: 'equals', value: 'paid' }
const apples = { field: 'Product', op: 'equals', value: 'apple' }
const north = { field: 'Region', op: 'equals', value: 'north' }
const either = (...filters: readonly object[]) => ({ logic: 'or', filters })

const queryOf = (where: readonly object[], more: object = {}, model: SemanticModel = shop) =>
  resolved({ select: { dimensions: ['Region'], measures: ['Sales'] }, where, ...more }, model)

function reached(base: string, where: readonly object[], more: object = {}, model: SemanticModel = shop) {
  const { conjuncts, bridges, separate, reach } = conjunctsFor(base, queryOf(where, more, model), `'${base}'`)
  return { applied: conjuncts.flatMap((c) => c.fields), bridges: [...bridges], separate: [...separate], missed: reach.missed }
}

t.test('a condition is read on the rows themselves, on a bridge, or not at all', async (t) => {
  t.match(reached('Orders', [north, paid]), { applied: ['Region', 'Status'], bridges: [], missed: [] })
  t.match(reached('Orders', [apples]), { applied: ['Product'], bridges: ['Items'] })
  const none = reached('Returns', [north, paid])
  t.same(none.applied, ['Region'])
  t.match(none.missed, [
    {
      because: '',
      warning: {
        code: 'FILTER_NOT_APPLICABLE',
        path: 'where[1]',
        message: /the filter on 'Status' cannot be reached from 'Returns' and was not applied to it$/,
      },
    },
  ])
})

t.test('of several fields, the ones out of reach are named', async (t) => {
  const [one] = reached('Returns', [either(north, paid, apples)]).missed
  t.equal(one?.because, ": the rows of 'Returns' do not reach 'Status' on 'Orders' or 'Product' on 'Items'")
  const visited = { field: 'Status', op: 'exists', subquery: { dataObject: 'Items' } }
  const [other] = reached('Returns', [either(north, visited)]).missed
  t.match(other?.because, /do not reach 'Status' on 'Orders'$/)
})

t.test('an exists that is tested on a bridge needs its own relation', async (t) => {
  const exists = (field: string) => ({ field, op: 'exists', subquery: { dataObject: 'Returns' } })
  t.match(reached('Customers', [exists('Status')]), { bridges: ['Orders'], separate: ['Orders'] })
  t.match(reached('Orders', [exists('Status')]), { bridges: [], separate: [] })
  t.match(reached('Customers', [paid]), { bridges: ['Orders'], separate: [] }, 'no exists')
})

t.test('strict filters refuse a condition that is not applied', async (t) => {
  t.throws(() => reached('Returns', [paid], { strict_filters: true }), { code: 'FILTER_NOT_APPLICABLE', path: 'where[0]' })
  t.doesNotThrow(() => reached('Returns', [north], { strict_filters: true }))
})

t.test('what a measure means cannot be left out', async (t) => {
  const query = queryOf([paid])
  const [conjunct] = query.where
  const of = { base: 'Returns', what: "'Returned'" }
  t.throws(() => missed({ ...conjunct!, ofMeasure: true }, of, query), {
    code: 'NO_JOIN_PATH',
    message: /'Returned' is read at other times of 'Status', which cannot be reached from the rows of 'Returns'/,
  })
  t.doesNotThrow(() => missed(conjunct!, of, query))
})

t.test('a path that is not known is refused, whatever the values are', async (t) => {
  const twice = shopWith(
    {
      dataObjects: {
        Orders: {
          joins: [
            manyToOne('Customers', 'Customer Id', { pathName: 'buyer' }),
            manyToOne('Customers', 'Payer Id', { pathName: 'payer' }),
          ],
        },
      },
    },
    { dimensions: { Who: { dataObject: 'Customers', column: 'Name' } } },
  )
  const who = { field: 'Who', op: 'equals', value: 'Ada' }
  const of = (base: string, where: object) => () =>
    conjunctsFor(base, { ...resolved({ select: { dimensions: ['Who'] }, where: [where] }, twice) }, '')
  t.throws(of('Orders', who), { code: 'AMBIGUOUS_JOIN', path: 'where[0]' })
  t.throws(of('Orders', { field: 'Who', op: 'in', value: [] }), { code: 'AMBIGUOUS_JOIN' })
  t.throws(of('Orders', { field: 'Who', op: 'exists', subquery: { dataObject: 'Regions' } }), { code: 'AMBIGUOUS_JOIN' })
  t.doesNotThrow(of('Customers', who))
})

// ---- measures -------------------------------------------------------------------------------------------------------------------------

const COUNTED = { name: 'Counted', filterContext: undefined }

function through(base: string, where: readonly object[], more: object = {}, model: SemanticModel = shop) {
  return conjunctsForMeasure(base, queryOf(where, more, model), COUNTED).reach.through
}

t.test('a condition on the rows of another fact is reported', async (t) => {
  t.match(through('Orders', [apples]), [
    {
      code: 'FILTER_THROUGH_BRIDGE',
      path: 'where[0]',
      message: /the filter on 'Product' reaches 'Counted' only through 'Items': a row of 'Orders' counts if a row of 'Items'/,
    },
  ])
  t.same(through('Orders', [north, paid]), [], 'its own rows')
  t.same(through('Returns', [north, paid]), [], 'it does not reach')
  const [missing] = conjunctsForMeasure('Returns', queryOf([paid]), COUNTED).reach.missed
  t.match(missing?.warning.message, /the filter on 'Status' cannot be reached from 'Counted'/)
  t.throws(() => through('Orders', [apples], { strict_filters: true }), { code: 'FILTER_THROUGH_BRIDGE' })
})

t.test('but not one that a measure means', async (t) => {
  const query = queryOf([apples])
  const where = query.where.map((c) => ({ ...c, ofMeasure: true as const }))
  t.same(conjunctsForMeasure('Orders', { ...query, where }, COUNTED).reach.through, [])
})

t.test('nor one that a measure does not see, which decides what is shown', async (t) => {
  const of = (mode: 'FIXED' | 'RELATIVE', names: { readonly include?: string[]; readonly exclude?: string[] }) => {
    const filterContext = { mode, include: [], exclude: [], keepOnly: [], ...names }
    return conjunctsForMeasure('Orders', queryOf([apples], { strict_filters: true }), { name: 'Counted', filterContext })
  }
  t.same(of('FIXED', {}).reach.through, [])
  t.same(of('RELATIVE', { exclude: ['Product'] }).reach.through, [])
  t.throws(() => of('FIXED', { include: ['Product'] }), { code: 'FILTER_THROUGH_BRIDGE' })
})

t.test('declared bridges, pairs and elements of arrays are no other facts', async (t) => {
  const labels = shopWith(PARCELS_AND_LABELS)
  t.same(through('Orders', [{ field: 'Label', op: 'equals', value: 'new' }], {}, labels), [])
  const pairs = shopWith(MATCHING_RETURNS, { dimensions: { 'Returned On': { dataObject: 'Returns', column: 'Day' } } })
  t.same(through('Customers', [{ field: 'Returned On', op: 'is_not_null' }], {}, pairs), [])
  const nested = shopWith({
    dataObjects: {
      Orders: { columns: { Tags: { code: 'tags', abstractType: 'json' } } },
      'Order Tags': {
        code: '-',
        nestedIn: { dataObject: 'Orders', column: 'Tags' },
        columns: { Tag: { code: '*', abstractType: 'string' } },
      },
    },
    dimensions: { Tag: { dataObject: 'Order Tags', column: 'Tag' } },
  })
  t.same(through('Orders', [{ field: 'Tag', op: 'equals', value: 'new' }], {}, nested), [])
})

// ---- the query ------------------------------------------------------------------------------------------------------------------------

t.test('a condition must reach something, unless everything ignores it on purpose', async (t) => {
  const query = aggregateQuery({ select: { dimensions: ['Region'], measures: ['Sales'] }, where: [paid] }, shop)
  const [conjunct] = query.where
  const miss = missed(conjunct!, { base: 'Returns', what: "'Returned'" }, query)
  const told = (reach: Partial<Reach>) => reachWarnings(query, { ...NO_REACH, ...reach }).map(({ code }) => code)
  t.same(told({ applied: [conjunct!] }), [])
  t.same(told({ applied: [conjunct!], missed: [miss] }), ['FILTER_NOT_APPLICABLE'])
  t.same(told({ ignored: [conjunct!] }), [])
  const refused = { code: 'FILTER_APPLIES_TO_NOTHING', path: 'where[0]' }
  t.throws(() => told({}), refused)
  t.throws(() => told({ missed: [{ ...miss, because: ': by nothing' }] }), {
    ...refused,
    message: "the filter on 'Status' cannot be reached from anything that the query selects: by nothing",
  })
  t.throws(() => told({ ignored: [conjunct!], missed: [miss] }), refused, 'one ignores it, another one misses it')
  const other = { ...miss, conjunct: { ...conjunct!, path: 'where[7]' }, because: ': of another' }
  t.throws(() => told({ missed: [other] }), { message: /that the query selects$/ })
})
