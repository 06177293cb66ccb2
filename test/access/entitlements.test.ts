/** Policies that look for rows of a table which lists who may see what. */
import t from 'tap'
import { ENTITLED, ENTITLED_TABLES } from './entitled-shop.js'
import { servedShop } from './served.js'

const total = { select: { measures: ['Revenue'] } }
const byRegion = { select: { dimensions: ['Region'], measures: ['Revenue'] }, order_by: [{ field: 'Region' }] }
const shop = { model: ENTITLED, tables: ENTITLED_TABLES }

t.test('a number is that of the rows that a table grants', async (t) => {
  const { rows } = await servedShop(t, shop)
  t.same(await rows('north', byRegion), [['North', 30]], 'a grant that is listed twice counts once, and one of tomorrow does not')
  t.same(await rows('also', total), [[30]])
  t.same(await rows('south', total), [[100]], 'a grant of no region is none')
  t.same(await rows('none', total), [[null]], 'a grant to nobody is to nobody')
  t.same(await rows('auditor', total), [[11130]])
  t.same(await rows('north', { select: { fields: ['Regions.Name'] } }), [['North']])
  t.same(await rows('north', { select: { dimensions: ['Customer'], measures: ['Customers Count'] } }), [['Ann & Co', 1]])
  t.same(await rows('developer', total), [[null]], 'all policies that bind')
})

t.test('who is bound does not see the table, nor anything that reads it or leads through it', async (t) => {
  const { rows, get, post } = await servedShop(t, shop)
  for (const name of ['Grantee', 'Granted Revenue', 'Grants Count', 'Revenue per Grant']) {
    const query = name === 'Grantee' ? { select: { dimensions: [name] } } : { select: { measures: [name] } }
    t.match(await rows('north', query), /^UNKNOWN_/, name)
    t.equal((await post('auditor', '/v1/query/execute', { query })).status, 200, `${name}, by somebody whom no policy binds`)
  }
  const through = {
    select: { dimensions: ['Customer'] },
    where: [{ field: 'Customers', op: 'exists', subquery: { dataObject: 'Grants' } }],
  }
  const unknown = { ...through, where: [{ field: 'Customers', op: 'exists', subquery: { dataObject: 'Grantsy' } }] }
  const bodies = [
    await post('north', '/v1/query/execute', { query: through }),
    await post('north', '/v1/query/execute', { query: unknown }),
  ]
  const [named, unnamed] = bodies.map(({ text }) => text.replace(/req-\w+/, 'id'))
  t.same(named, unnamed?.replaceAll('Grantsy', 'Grants'), 'its name means nothing')
  t.same(await rows('north', { select: { fields: ['Grants.Who'] } }), await rows('north', { select: { fields: ['Nope.Who'] } }))
  for (const path of ['schema', 'join-graph', 'diagram/er', 'models', 'measures', 'dimensions', 'metrics', 'composables']) {
    const { text, status } = await get('north', `/v1/${path}`)
    t.equal(status, 200, path)
    t.notMatch(text, /Grant(s|ee)|hidden_/i, path)
  }
  const sql = await post('north', '/v1/query/semantic-ql', { sql: 'SELECT count(*) FROM "Grants"' })
  t.equal(sql.status, 422, sql.text)
  t.match((await get('auditor', '/v1/schema')).text, /Grants/)
})

t.test('fields that only the table connects are not connected', async (t) => {
  const model = ENTITLED.replace(/ {2}Shifts:\n[\s\S]*?(?= {2}Products:)/, '')
    .replace(/ {4}- \{ name: on shift.*\n/, '')
    .replace(
      'joins: [{ joinType: many-to-one, joinTo: Regions, columnsFrom: [Area]',
      'joins: [{ joinType: many-to-one, joinTo: Sellers, columnsFrom: [Who], columnsTo: [Name] }, { joinType: many-to-one, joinTo: Regions, columnsFrom: [Area]',
    )
  const { rows, post } = await servedShop(t, { ...shop, model })
  const query = { select: { dimensions: ['Seller'], measures: ['Regions Count'] } }
  t.match(await rows('auditor', query), [[]])
  const { body, text } = await post('north', '/v1/query/execute', { query })
  t.equal(body.code, 'NO_JOIN_PATH')
  t.notMatch(text, /Grant|hidden_/)
  const near = await post('north', '/v1/composables', { anchors: ['Regions Count'] })
  t.notMatch(near.text, /Seller"/, 'and not offered')
  t.same(await rows('north', total), [[30]])
})

t.test('an answer is kept only as long as the contract of the table allows', async (t) => {
  const cached = {
    settings: {
      CACHE_BACKEND: 'memory',
      CACHE_UNKNOWN_FRESHNESS_POLICY: 'default_ttl',
      CACHE_UNKNOWN_FRESHNESS_DEFAULT_TTL: 300,
      HEARTBEAT_AUTH_TOKEN: 'beat-beat-beat-beat',
    },
    plugins: ['@grainline/cache-memory'],
  }
  const again = async ({ post }: Awaited<ReturnType<typeof servedShop>>, who: 'north' | 'auditor') => {
    await post(who, '/v1/query/execute', { query: total })
    const { body } = await post(who, '/v1/query/execute', { query: total })
    return [body.rows[0][0], body.cached, body.cache_ttl_seconds ?? body.freshness?.ttl_seconds]
  }
  const open = await servedShop(t, { ...shop, ...cached })
  t.match(await again(open, 'north'), [30, false], 'without a contract it is not kept')
  t.match(await again(open, 'auditor'), [11130, true], 'one that the table does not decide is')
  const model = ENTITLED.replace('    code: grants\n', '    code: grants\n    refresh: { mode: heartbeat }\n')
  const bounded = await servedShop(t, { ...shop, ...cached, model })
  t.match(await again(bounded, 'north'), [30, true])
  const beat = await bounded.app.inject({
    method: 'POST',
    url: '/v1/heartbeat',
    headers: { authorization: 'Bearer beat-beat-beat-beat' },
    payload: { table: 'grants' },
  })
  t.equal(beat.statusCode, 200, beat.payload)
  const { body } = await bounded.post('north', '/v1/query/execute', { query: total })
  t.match(body, { cached: false }, 'a heartbeat for the table ends it')
})
