// Node clients with a Grainline that listens on the given port; prints one line of JSON per check.
import assert from 'node:assert/strict'
import pg from 'pg'
import Cursor from 'pg-cursor'
import postgres from 'postgres'

const port = Number(process.argv[2])
const TOP = 'SELECT "Airline", "Flight Count" FROM flights ORDER BY 2 DESC, 1 LIMIT 3'
const EXPECTED = [['United Air Lines Inc.', '58665'], ['JetBlue Airways', '54635'], ['ExpressJet Airlines Inc.', '54173']]
const options = { host: '127.0.0.1', port, user: 'tester', database: 'flights' }

async function check(name, work) {
  try {
    await work()
    console.log(JSON.stringify({ name, ok: true }))
  } catch (error) {
    console.log(JSON.stringify({ name, ok: false, error: String(error?.message), trace: String(error?.stack).split('\n').slice(1, 4) }))
  }
}

await check('node-pg: simple, with parameters, prepared, several statements', async () => {
  const client = new pg.Client(options)
  await client.connect()
  const { rows, fields } = await client.query({ text: TOP, rowMode: 'array' })
  assert.deepEqual(rows, EXPECTED)
  assert.deepEqual(fields.map(({ dataTypeID }) => dataTypeID), [25, 20])
  const text = 'SELECT "Flight Count" FROM flights WHERE "Airline" = $1 AND "Year Built" > $2'
  for (const name of [undefined, 'one', 'one']) {
    const answer = await client.query({ name, text, values: ['JetBlue Airways', 2003], rowMode: 'array' })
    assert.deepEqual(answer.rows, [['43130']])
  }
  const both = await client.query('SELECT 1 AS a; SELECT 2 AS b')
  assert.deepEqual(both.map(({ rows: [row] }) => row), [{ a: 1 }, { b: 2 }])
  const error = await client.query('SELECT "Airlin" FROM flights').catch((cause) => cause)
  assert.deepEqual([error.code, error.position], ['42703', '8'])
  assert.equal((await client.query('SELECT "Tail Number" FROM flights')).rowCount, 4044)
  await client.end()
})

await check('node-pg: cursor', async () => {
  const client = new pg.Client(options)
  await client.connect()
  const cursor = client.query(new Cursor('SELECT "Tail Number", "Flight Count" FROM flights LIMIT 3000'))
  let rows = 0
  for (let part = await cursor.read(700); part.length > 0; part = await cursor.read(700)) rows += part.length
  assert.equal(rows, 3000)
  await cursor.close()
  assert.equal((await client.query('SELECT 1 AS one')).rows[0].one, 1)
  await client.end()
})

await check('postgres.js: tagged queries, cursor, transaction, COPY, describe', async () => {
  const sql = postgres({ ...options, username: 'tester', max: 2 })
  assert.deepEqual((await sql.unsafe(TOP)).map(Object.values), EXPECTED)
  const airline = 'JetBlue Airways'
  const [row] = await sql`SELECT "Flight Count" FROM flights WHERE "Airline" = ${airline} AND "Year Built" > ${2003}`
  assert.equal(row['Flight Count'], '43130')
  let rows = 0
  for await (const part of sql`SELECT "Tail Number" FROM flights LIMIT 500`.cursor(70)) rows += part.length
  assert.equal(rows, 500)
  await sql.begin('read only', async (inner) => assert.equal((await inner.unsafe(TOP)).length, 3))
  const chunks = []
  for await (const chunk of await sql.unsafe(`COPY (${TOP}) TO STDOUT`).readable()) chunks.push(chunk)
  assert.equal(Buffer.concat(chunks).toString().split('\n')[0], 'United Air Lines Inc.\t58665')
  assert.deepEqual((await sql.unsafe(TOP).describe()).columns.map(({ name }) => name), ['Airline', 'Flight Count'])
  await sql.end()
})
