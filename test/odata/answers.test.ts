/** The numbers of a feed beside SQL written by hand, and what clients of OData rely on. */
import t from 'tap'
import { byHand, canonical } from '../semantic-ql/by-hand.js'
import { flightsFeed } from './feed.js'

const feed = await flightsFeed()
const small = await flightsFeed({ ODATA_PAGE_ROWS: 100 })
const tables = await byHand()
t.teardown(async () => {
  tables.close()
  await Promise.all([feed.close(), small.close()])
})

const rowsOf = (rows: readonly Readonly<Record<string, unknown>>[]) => rows.map((row) => Object.values(row).map(canonical))

/** A request, and its answer as SQL over the tables. */
const QUESTIONS: readonly (readonly [string, string])[] = [
  [
    'flights?$select=Origin_Code,Flight_Count&$orderby=Flight_Count desc',
    'SELECT origin, count(*) FROM f GROUP BY 1 ORDER BY 2 DESC',
  ],
  [
    "flights?$select=Origin_Code,Flight_Count&$filter=Status ne 'cancelled' and Date ge 2013-06-01 and Date lt 2013-07-01",
    "SELECT origin, count(*) FROM f WHERE status <> 'cancelled' AND on_day >= '2013-06-01' AND on_day < '2013-07-01' GROUP BY 1 ORDER BY 1",
  ],
  [
    "flights?$apply=filter(startswith(Airline,'Jet'))/groupby((Origin_Code),aggregate(Flight_Count with sum as N))/filter(N gt 15000)&$orderby=N desc",
    "SELECT origin, count(*) AS n FROM f WHERE airline LIKE 'Jet%' GROUP BY 1 HAVING count(*) > 15000 ORDER BY 2 DESC",
  ],
  [
    'flights?$apply=aggregate($count as N,Airline with countdistinct as Airlines,Date with min as First,Date with max as Last)',
    'SELECT count(*), count(DISTINCT airline), min(on_day), max(on_day) FROM f',
  ],
  [
    'flights?$apply=compute(month(Date) as M)/groupby((M),aggregate(Flight_Count))&$orderby=M&$top=3&$skip=2',
    'SELECT month(on_day), count(*) FROM f GROUP BY 1 ORDER BY 1 LIMIT 3 OFFSET 2',
  ],
  [
    'flights?$apply=groupby((Airline),aggregate(Flight_Count))/topcount(3,Flight_Count)/aggregate(Flight_Count with sum as N)',
    'SELECT sum(n) FROM (SELECT airline, count(*) AS n FROM f GROUP BY 1 ORDER BY 2 DESC LIMIT 3)',
  ],
  ['flights?$apply=groupby((Airline))/aggregate($count as N)', 'SELECT count(DISTINCT airline) FROM f'],
  ['flights?$filter=Tail_Number eq null&$select=Flight_Count', 'SELECT count(*) FROM f WHERE tailnum IS NULL'],
  [
    "flights?$filter=Tail_Number ne 'N725MQ'&$select=Flight_Count",
    "SELECT count(*) FROM f WHERE tailnum IS DISTINCT FROM 'N725MQ'",
  ],
  [
    "flights?$filter=Tail_Number in ('N725MQ',null,'N722MQ')&$select=Flight_Count",
    "SELECT count(*) FROM f WHERE tailnum IN ('N725MQ', 'N722MQ') OR tailnum IS NULL",
  ],
  [
    "flights?$filter=not contains(tolower(Airline),'air') and length(Airline) gt 10&$select=Airline,Flight_Count",
    "SELECT airline, count(*) FROM f WHERE NOT lower(airline) LIKE '%air%' AND length(airline) > 10 GROUP BY 1 ORDER BY 1",
  ],
  [
    'flights?$filter=year(Date) eq 2013 and month(Date) in (1,2) or day(Date) eq 31&$select=Flight_Count',
    'SELECT count(*) FROM f WHERE (year(on_day) = 2013 AND month(on_day) IN (1, 2)) OR day(on_day) = 31',
  ],
  [
    'flights?$filter=Scheduled_Hour div 10 eq 1 and Scheduled_Hour mod 2 eq 1 and Scheduled_Hour divby 2 gt 5.2&$select=Flight_Count',
    'SELECT count(*) FROM f WHERE hour // 10 = 1 AND hour % 2 = 1 AND hour / 2 > 5.2',
  ],
  [
    'flights?$filter=Flight_Count gt 50000&$select=Airline,Flight_Count',
    'SELECT airline, count(*) FROM f GROUP BY 1 HAVING count(*) > 50000 ORDER BY 1',
  ],
  [
    'flights?$filter=Scheduled_At ge 2013-03-10T05:00:00Z and Scheduled_At lt 2013-03-11T00:00:00-04:00&$select=Flight_Count',
    "SELECT count(*) FROM f WHERE on_day = '2013-03-10'",
  ],
  [
    'flights?$select=Manufacturer,Flight_Count&$orderby=Manufacturer&$top=2',
    'SELECT manufacturer, count(*) FROM f GROUP BY 1 ORDER BY 1 NULLS FIRST LIMIT 2',
  ],
  [
    "flights?$filter=contains(Airline,'_') or contains(Airline,'%25') or Airline eq 'it''s'&$select=Flight_Count",
    "SELECT count(*) FROM f WHERE contains(airline, '_') OR contains(airline, '%')",
  ],
]

for (const [path, sql] of QUESTIONS) {
  t.test(path, async (t) => {
    const { rows } = await feed.all(path)
    t.same(rowsOf(rows), await tables.rows(sql))
  })
}

t.test('a page has a link to the next one; together they have each row once', async (t) => {
  const path = 'flights?$select=Date,Origin_Code,Flight_Count&$orderby=Flight_Count desc'
  const [paged, whole] = [await small.all(path), await feed.all(path)]
  t.equal(paged.pages, Math.ceil(whole.rows.length / 100))
  t.equal(whole.pages, 1)
  t.same(paged.rows, whole.rows)
})

t.test('$top counts over all pages, and $skip is before the first', async (t) => {
  const whole = (await feed.all('flights?$select=Date,Flight_Count')).rows
  for (const [skip, top, pages] of [
    [0, 250, 3],
    [7, 200, 2],
    [300, 100, 1],
    [0, 0, 1],
  ] as const) {
    const paged = await small.all(`flights?$select=Date,Flight_Count&$skip=${skip}&$top=${top}`)
    t.same(paged.rows, whole.slice(skip, skip + top), `${skip}, ${top}`)
    t.equal(paged.pages, pages)
  }
})

t.test('a client may prefer shorter pages', async (t) => {
  const { body } = await feed.get('flights?$select=Date', { prefer: 'odata.maxpagesize=10' })
  t.equal(body.value!.length, 10)
  t.match(body['@odata.nextLink'], /\$skiptoken=10$/)
})

t.test('$count is the number of all rows that $filter leaves, with and without a page', async (t) => {
  const [[jets]] = (await tables.rows("SELECT count(*) FROM f WHERE airline = 'JetBlue Airways'")) as [[number]]
  const path = "flights?$filter=Airline eq 'JetBlue Airways'&$count=true&$top=3"
  const { body } = await feed.get(path)
  t.equal(body['@odata.count'], jets)
  t.equal(body.value!.length, 3)
  t.equal((await feed.get("flights/$count?$filter=Airline eq 'JetBlue Airways'")).text, String(jets))
  t.equal((await feed.get('flights?$select=Origin_Code&$count=true')).body['@odata.count'], 3)
  t.equal((await feed.get('flights?$select=Origin_Code,Flight_Count&$count=true&$top=1')).body['@odata.count'], 3)
  t.equal((await feed.get('flights?$apply=groupby((Airline,Origin_Code))&$count=true&$top=1')).body['@odata.count'], 35)
})

t.test('rows of the whole set have keys that no other row has', async (t) => {
  const { rows } = await small.all('flights?$top=250')
  t.equal(new Set(rows.map(({ RowKey }) => RowKey)).size, 250)
  const other = (await feed.get('flights?$top=1&$filter=Miles gt 2000')).body.value![0]!
  t.notOk(
    rows.some(({ RowKey }) => RowKey === other.RowKey),
    'nor a row of another answer',
  )
})

t.test('what an answer says about its numbers is a standard annotation', async (t) => {
  const { body } = await feed.get('flights?$top=1')
  t.match(body['@Org.OData.Core.V1.Messages'], [{ code: 'PREVIEW_LEFT_OUT', severity: 'warning' }])
  const none = await feed.get('flights?$top=1', { accept: 'application/json;odata.metadata=none' })
  t.same(Object.keys(none.body), ['value'])
})

t.test('values have the forms of OData', async (t) => {
  const path = 'flights?$select=Scheduled_At,Scheduled_Local,Date,Flight_Count,Late_Rate&$top=1'
  const { body, headers } = await feed.get(path)
  t.match(body.value![0], { Scheduled_At: '2013-01-01T10:00:00Z', Date: '2013-01-01', Flight_Count: Number })
  t.match(body.value![0]!.Scheduled_Local, /^2013-01-01T05:00:00Z$/)
  t.match(headers, { 'odata-version': '4.0', 'content-type': /odata\.metadata=minimal/ })
  const compatible = await feed.get(path, { accept: 'application/json;IEEE754Compatible=true' })
  t.type(compatible.body.value![0]!.Flight_Count, 'string')
})

t.test('long options are sent in a body', async (t) => {
  const tails = Array.from({ length: 2000 }, (_, i) => `'N${i}MQ'`).join(',')
  const payload = `$select=Flight_Count&$filter=${encodeURIComponent(`Tail_Number in (${tails})`)}`
  const answer = await feed.app.inject({
    method: 'POST',
    url: '/odata/flights/flights/$query',
    headers: { 'content-type': 'text/plain' },
    payload,
  })
  t.equal(answer.statusCode, 200, answer.body)
  const [[count]] = (await tables.rows(`SELECT count(*) FROM f WHERE tailnum IN (${tails})`)) as [[number]]
  t.same(answer.json().value, [{ Flight_Count: count }])
})
