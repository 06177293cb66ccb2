/** Olingo, a client of OData in Java: it checks each answer against the metadata of the feed. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { flightsFeed } from '../../odata/feed.js'
import { byHand, canonical } from '../../semantic-ql/by-hand.js'

const here = import.meta.dirname
const clients = path.join(here, '.clients')
const needs = path.join(clients, 'OlingoClient.class')
const skip = existsSync(needs) ? false : `${path.relative(here, needs)} is not there; test/interop/odata/install.sh says why`

const KEY = 'a-key-of-a-person'

/** A request as Olingo sends it, and the same question over the tables. */
const QUESTIONS: readonly (readonly [string, string])[] = [
  [
    'flights?$select=Origin_Code,Flight_Count&$orderby=Flight_Count%20desc',
    'SELECT origin, count(*) FROM f GROUP BY 1 ORDER BY 2 DESC',
  ],
  [
    "flights?$select=Airline,Flight_Count&$filter=startswith(Airline,'J')%20or%20contains(Airline,'Sky')&$orderby=Airline",
    "SELECT airline, count(*) FROM f WHERE airline LIKE 'J%' OR airline LIKE '%Sky%' GROUP BY 1 ORDER BY 1",
  ],
  [
    'flights?$select=Date,Flight_Count&$filter=Date%20ge%202013-12-30&$orderby=Date',
    "SELECT on_day, count(*) FROM f WHERE on_day >= '2013-12-30' GROUP BY 1 ORDER BY 1",
  ],
  ['flights?$select=Date,Flight_Count', 'SELECT on_day, count(*) FROM f GROUP BY 1 ORDER BY 1'],
]

if (skip !== false) t.plan(0, skip)
else
  t.test('Olingo reads a feed', async (t) => {
    const feed = await flightsFeed({ AUTH_MODE: 'api_key', API_KEYS: [KEY], ODATA_PAGE_ROWS: 100 })
    const tables = await byHand()
    t.teardown(async () => {
      tables.close()
      await feed.close()
    })
    const root = `${await feed.app.listen({ port: 0, host: '127.0.0.1' })}/odata/flights`
    const requests = [
      'metadata',
      'sets',
      ...QUESTIONS.map(([request]) => request),
      'flights?$top=3',
      'flights?$select=Arline',
      'Nothing',
    ]
    const [metadata, sets, ...answers] = await ask(root, requests, [KEY])

    t.match(metadata, /flights\(RowKey\)=RowKey:String,.*Flight_Count:Int64/)
    t.same(sets?.split('\t').toSorted(), ['flights', 'flights__Hours', 'flights__Planes', 'flights__Weather'])
    for (const [i, [request, sql]] of QUESTIONS.entries()) t.same(valuesOf(answers[i]!), await tables.rows(sql), request)
    const [whole, unknown, missing] = answers.slice(QUESTIONS.length)
    t.equal(whole!.split('|').length, 3)
    t.match(whole, /^RowKey=String:/)
    t.match(unknown, /^refused 404\tFIELD_NOT_FOUND\t.*Write Airline/)
    t.match(missing, /^refused 404\tNOT_FOUND\t/)

    const [stranger] = await ask(root, ['flights?$top=1'], ['no-key'])
    t.match(stranger, /^(refused|failed).*401/)
  })

async function ask(root: string, requests: readonly string[], key: readonly string[]): Promise<readonly string[]> {
  const child = spawn('java', ['-XX:TieredStopAtLevel=1', '-cp', `${clients}:${clients}/lib/*`, 'OlingoClient', root, ...key])
  child.stdin.end(`${requests.join('\n')}\n`)
  const [answers, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  return answers === '' ? [errors] : answers.trimEnd().split('\n')
}

/** The values of rows such as `Origin_Code=String:EWR`. */
const valuesOf = (answer: string): unknown[][] =>
  answer.split('|').map((row) => row.split('\t').map((value) => canonical(value.slice(value.indexOf(':') + 1))))
