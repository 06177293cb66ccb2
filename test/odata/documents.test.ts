/** The documents of a feed, its errors, and requests that mean harm. */
import t from 'tap'
import { identifiersOf } from '../../plugins/surface-odata/src/names/identifiers.js'
import { bestOf, keepsTurns } from '../longest-turn.js'
import { amount, PART } from '../support/amount.js'
import { flightsFeed } from './feed.js'

const feed = await flightsFeed()
t.teardown(() => feed.close())

t.test('the documents lead from the feeds to the sets', async (t) => {
  const feeds = await feed.get('/odata')
  t.match(feeds.body.value, [{ name: 'flights', url: /\/odata\/flights\/$/ }])
  const service = await feed.get('/odata/flights/')
  t.match(service.body.value?.[0], { name: 'flights', kind: 'EntitySet', url: 'flights' })
  t.ok(service.body.value!.some(({ name }) => name === 'flights__Weather'))
  t.same((await feed.get('/odata/flights')).body, service.body)
})

t.test('the metadata has a property with its type for each field, and a key', async (t) => {
  const { text, headers } = await feed.get('$metadata')
  t.match(headers['content-type'], /^application\/xml/)
  t.match(text, /<EntityType Name="flights"><Key><PropertyRef Name="RowKey"\/><\/Key>/)
  t.match(text, /<Property Name="Date" Type="Edm\.Date"><Annotation Term="Org\.OData\.Aggregation\.V1\.Groupable"/)
  t.match(text, /<Property Name="Flight_Count" Type="Edm\.Int64"><Annotation Term="Org\.OData\.Aggregation\.V1\.Aggregatable"/)
  t.match(text, /<Property Name="Scheduled_At" Type="Edm\.DateTimeOffset" Precision="6">/)
  t.match(text, /<Annotation Term="Org\.OData\.Aggregation\.V1\.CustomAggregate" Qualifier="Late_Rate" String="Edm\.Double"\/>/)
  t.match(text, /<EntitySet Name="flights" EntityType="Grainline\.flights">/)
})

t.test('names are spelled for OData, and stay different', async (t) => {
  t.same(identifiersOf(['Net Sales', 'Net-Sales', '2nd', 'Größe', '', 'RowKey'], ['RowKey']), [
    'Net_Sales',
    'Net_Sales_2',
    '_2nd',
    'Größe',
    '_',
    'RowKey_2',
  ])
  const long = identifiersOf(['x'.repeat(200), 'x'.repeat(300)])
  t.ok(long.every((name) => name.length === 128))
  t.equal(new Set(long).size, 2)
})

const REFUSED: readonly (readonly [string, number, RegExp])[] = [
  ['flights?$select=Arline', 404, /\$select names 'Arline'.*Write Airline/],
  ['Flight', 404, /no entity set 'Flight'/],
  ["flights('a')", 404, /no separate address/],
  ['$batch', 404, /\$batch is not served here/],
  ['flights?$filter=Airline eq', 422, /\$filter has its end/],
  ["flights?$filter=Airline eq 'JetBlue", 422, /End the text with '/],
  ['flights?$filter=Airline like 5', 422, /Expected the end of the option.*'like' at character 9/],
  ["flights?$filter=starts(Airline,'J')", 422, /calls 'starts'/],
  ['flights?$filter=contains(Airline,Airline)', 422, /is a text in '…'/],
  ['flights?$filter=length(Airline,1) eq 2', 422, /length has 2 operands, and takes 1/],
  ['flights?$filtr=Airline eq null', 422, /\$filtr is not an option of OData/],
  ['flights?$filter=Airline eq null&filter=Miles gt 5', 422, /\$filter is given twice/],
  ['flights?$top=-1', 422, /not a number of rows/],
  ['flights?$count=yes', 422, /Write true or false/],
  ['flights?$expand=Planes', 422, /the joins are in the model/],
  ['flights?$apply=concat(identity,identity)', 422, /A step of \$apply is one of/],
  ['flights?$apply=groupby((Airline),aggregate(Late_Rate with sum as S))', 422, /Late Rate/],
  ['flights?$apply=groupby((Airline))&$filter=Miles gt 5', 404, /'Miles', which is no property here/],
  [`flights?$filter=${'('.repeat(101)}1 eq 1${')'.repeat(101)}`, 422, /nests more than 100 levels/],
  ['flights?$format=atom', 406, /Feeds are JSON/],
]

for (const [path, status, message] of REFUSED) {
  t.test(path.slice(0, 80), async (t) => {
    const answer = await feed.get(path)
    t.equal(answer.status, status, answer.text)
    t.match(answer.body.error?.message, message)
    t.type(answer.body.error?.code, 'string')
  })
}

t.test('a batch and what would write are refused in the form of OData, whatever the body is', async (t) => {
  const batch = { 'content-type': 'multipart/mixed; boundary=b' }
  for (const [method, path, headers, message] of [
    ['POST', '$batch', batch, /takes no batches.*Send each request by itself/],
    ['POST', '$batch', { 'content-type': 'application/json' }, /takes no batches/],
    ['POST', 'flights', { 'content-type': 'application/json' }, /read-only.*takes no POST/],
    ['PATCH', 'flights', { 'content-type': 'application/json' }, /takes no PATCH/],
    ['PUT', 'Flight', {}, /takes no PUT/],
    ['DELETE', 'flights', {}, /takes no DELETE/],
  ] as const) {
    const request = { method, url: `/odata/flights/${path}`, headers, ...(method !== 'DELETE' && { payload: '--b\r\n{' }) }
    const answer = await feed.app.inject(request)
    t.equal(answer.statusCode, 405, `${method} ${path}`)
    t.match(answer.headers, { 'odata-version': '4.0', 'content-type': /^application\/json/, allow: 'GET, HEAD' })
    t.match(answer.json(), { error: { code: 'METHOD_NOT_ALLOWED', message } })
  }
})

t.test('the name that an error suggests gives an answer', async (t) => {
  const { body } = await feed.get('flights?$select=Arline')
  const [name] = (body.error!.innererror as { readonly suggestions: readonly string[] }).suggestions
  t.equal((await feed.get(`flights?$select=${name}`)).body.value!.length, 16)
})

t.test('texts of clients are values, never SQL', async (t) => {
  for (const text of ["x' OR 1=1 --", '"; DROP TABLE flights; --', "\\'); SELECT 1; --", '$1', '%', '_']) {
    const quoted = encodeURIComponent(`Airline eq '${text.replaceAll("'", "''")}'`)
    const { status, body } = await feed.get(`flights?$select=Flight_Count&$filter=${quoted}`)
    t.equal(status, 200)
    t.same(body.value, [{ Flight_Count: 0 }], text)
  }
})

t.test('long options are answered or refused in short turns', async (t) => {
  const send = (payload: string) =>
    feed.app.inject({ method: 'POST', url: '/odata/flights/flights/$query', headers: { 'content-type': 'text/plain' }, payload })
  for (const [piece, joint] of [
    ['Miles%20eq%201', '%20or%20'],
    ['1', '%20add%20'],
    ['', 'not%20'],
    ['', '('],
    ['', '-'],
    ["''", ''],
  ] as const) {
    const best = await bestOf(async () => {
      const { statusCode, body } = await send(`$select=Flight_Count&$filter=${Array(2500).fill(piece).join(joint)}`)
      t.ok(statusCode < 500, `${joint}: ${statusCode} ${body.slice(0, 200)}`)
    })
    keepsTurns(t, best, `${joint}: the event loop was held`)
  }
})

t.test('mutated requests are answered or refused, never an error of the server', async (t) => {
  const seeds = [
    "$filter=Status ne 'cancelled' and (Date ge 2013-06-01 or Miles add 5 gt -3.5e2)",
    "$apply=filter(contains(Airline,'Jet'))/groupby((Origin_Code,Date),aggregate(Flight_Count with sum as N,$count as C))/topcount(3,N)",
    '$select=Airline,Flight_Count&$orderby=Flight_Count desc,Airline&$top=5&$skip=2&$count=true',
    '$compute=Miles mul 2 as Far&$filter=Far gt 100&$select=Far,Flight_Count',
  ]
  const pieces = [
    ' ',
    '(',
    ')',
    "'",
    ',',
    '/',
    '$',
    'eq',
    'not',
    'null',
    '1e999',
    '-',
    '.',
    'Airline',
    'with',
    'as',
    '\u0000',
    'é',
    '99999999999999999999',
  ]
  const seed = Number(process.env['ODATA_SEED'] ?? 20261127 + PART)
  t.comment(`ODATA_SEED=${seed}`)
  let state = seed >>> 0
  const random = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  for (let i = 0; i < amount(100, 4000); i++) {
    let text = seeds[random(seeds.length)]!
    for (let edits = 1 + random(3); edits > 0; edits--) {
      const at = 8 + random(text.length - 8)
      text = text.slice(0, at) + (random(2) === 0 ? pieces[random(pieces.length)]! : '') + text.slice(at + random(3))
    }
    const url = text.split('&').map((option) => option.replace(/=(.*)$/s, (_, value: string) => `=${encodeURIComponent(value)}`))
    const { status, text: answer } = await feed.get(
      `flights?${url.join('&')}&$top=2`.replace(/&\$top=5(.*)&\$top=2$/, '&$top=5$1'),
    )
    t.ok(status < 500, `${text}: ${status} ${answer.slice(0, 300)}`)
  }
})
