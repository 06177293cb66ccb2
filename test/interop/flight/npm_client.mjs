/** A client of npm by another author, for a Grainline at the given port; a key may follow. */
import { createRequire } from 'node:module'

const require = createRequire(new URL('.clients/npm/', import.meta.url))
const { FlightSQLClient } = require('@gizmodata/gizmosql-client')

const [port, key] = process.argv.slice(2)
const client = new FlightSQLClient({
  host: '127.0.0.1',
  port: Number(port),
  plaintext: true,
  ...(key && { username: 'anybody', password: key }),
})

async function check(name, work) {
  try {
    await work()
    console.log(JSON.stringify({ name, ok: true }))
  } catch (error) {
    console.log(JSON.stringify({ name, ok: false, error: String(error?.stack ?? error) }))
  }
}

function same(given, expected) {
  if (String(given) !== String(expected)) throw new Error(`${given} is not ${expected}`)
}

await check('gizmosql-client: a query', async () => {
  const table = await client.execute('SELECT "Origin Airport", "Flight Count" FROM flights ORDER BY 2 DESC')
  same(
    table.toArray().map((row) => [row['Origin Airport'], row['Flight Count']]),
    [['Newark Liberty Intl', 120835], ['John F Kennedy Intl', 111279], ['La Guardia', 104662]],
  )
})
await check('gizmosql-client: catalogs, schemas, tables', async () => {
  const count = (found) => found.numRows ?? found.length
  same(count(await client.getCatalogs()), 1)
  same(count(await client.getSchemas()), 1)
  same(count(await client.getTables()), 4)
})
await client.close?.()
process.exit(0)
