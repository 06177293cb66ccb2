/** The catalogue over Arrow Flight SQL: models, their relations and columns. */
import { type Answer, encapsulated, flight, sql } from '@grainline/flight-sql'
import { RecordBatchReader, type Schema } from 'apache-arrow'
import t from 'tap'
import { startFlight } from './server.js'

const server = await startFlight()
t.teardown(() => server.close())
const client = await server.connect()

async function objectsOf(answer: Answer): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  for await (const batch of answer) for (const row of batch) rows.push(row.toJSON())
  return rows
}

const RELATIONS = ['flights', 'flights__Hours', 'flights__Planes', 'flights__Weather']
const schemaIn = (bytes: unknown): Schema => RecordBatchReader.from(bytes as Uint8Array).open().schema
const shown = (schema: Schema) => schema.fields.map(({ name, type }) => `${name} ${type}`)

t.test('each fact of a model is a table with the columns of SELECT *', async (t) => {
  const tables = await objectsOf(await client.tables({ includeSchema: true }))
  t.same(
    tables.map((row) => row['table_name']),
    RELATIONS,
  )
  for (const { table_name: name, table_schema: columns } of tables) {
    const everything = await client.schemaOf(`SELECT * FROM "${name}" LIMIT 1`)
    t.same(shown(schemaIn(columns)), shown(everything), String(name))
  }
})

t.test('the metadata of a column contain its table, its type and its description in the model', async (t) => {
  const [weather] = await objectsOf(await client.tables({ tableNameFilterPattern: 'flights\\_\\_W%', includeSchema: true }))
  const [field] = schemaIn(weather!['table_schema']).fields.filter(({ name }) => name === 'Rainfall')
  t.match(Object.fromEntries(field!.metadata), {
    'ARROW:FLIGHT:SQL:CATALOG_NAME': 'flights',
    'ARROW:FLIGHT:SQL:DB_SCHEMA_NAME': 'flights',
    'ARROW:FLIGHT:SQL:TABLE_NAME': 'flights__Weather',
    'ARROW:FLIGHT:SQL:IS_READ_ONLY': '1',
    'ARROW:FLIGHT:SQL:REMARKS': /^measure, sum · /,
  })
})

t.test('filters select catalogs exactly, schemas and tables by pattern, and types by name', async (t) => {
  const named = async (filter: Parameters<typeof client.tables>[0]) =>
    (await objectsOf(await client.tables(filter))).map((row) => row['table_name'])
  t.same(
    await named({ catalog: 'flights', dbSchemaFilterPattern: 'fl%', tableNameFilterPattern: 'flights', tableTypes: ['TABLE'] }),
    ['flights'],
  )
  t.same(await named({ tableNameFilterPattern: 'flights!_%'.replace('!', '\\') }), RELATIONS.slice(1))
  for (const filter of [{ catalog: 'flight' }, { catalog: '' }, { dbSchemaFilterPattern: 'x%' }, { tableTypes: ['VIEW'] }])
    t.same(await named(filter), [], JSON.stringify(filter))
  t.same(await objectsOf(await client.catalogs()), [{ catalog_name: 'flights' }])
  t.same(await objectsOf(await client.dbSchemas({ catalog: 'flights' })), [
    { catalog_name: 'flights', db_schema_name: 'flights' },
  ])
  t.same(await objectsOf(await client.tableTypes()), [{ table_type: 'TABLE' }])
})

t.test('the server information says that the server is read-only and has no transactions', async (t) => {
  const told = await client.sqlInfo()
  const [READ_ONLY, SQL, SUBSTRAIT, TRANSACTION, CANCEL, BULK_INGESTION, INGEST_TRANSACTIONS] = [3, 4, 5, 8, 9, 10, 11]
  t.same(
    [READ_ONLY, SQL, SUBSTRAIT, TRANSACTION, CANCEL, BULK_INGESTION, INGEST_TRANSACTIONS].map((code) => told.get(code!)),
    [true, true, false, 0, true, false, false],
  )
  t.same([...(await client.sqlInfo([4])).keys()], [4])
})

t.test('every catalogue command returns the schema that its plan announced, and there are no keys', async (t) => {
  const table = { catalog: 'flights', dbSchema: 'flights', table: 'flights' }
  for (const ask of [client.primaryKeys(table), client.importedKeys(table), client.exportedKeys(table)]) {
    const answer = await ask
    t.same(await objectsOf(answer), [])
    t.ok(answer.schema.fields.length > 5)
  }
  t.ok((await objectsOf(await client.xdbcTypeInfo())).length >= 9)
  const cmd = sql.named('CommandGetCrossReference', Buffer.alloc(0))
  const descriptor = flight.flightDescriptor.encode({ type: flight.DESCRIPTOR_CMD, cmd })
  const info = flight.flightInfo.decode(await client.calls.unary('GetFlightInfo', descriptor))
  for await (const part of client.calls.stream('DoGet', flight.ticket.encode(info.endpoint![0]!.ticket!)))
    t.same(encapsulated(flight.flightData.decode(part as Buffer).dataHeader!), info.schema)
})

t.test('every relation is a flight: its descriptor and its ticket are answered', async (t) => {
  const listed: flight.FlightInfo[] = []
  for await (const bytes of client.calls.stream('ListFlights', Buffer.alloc(0))) listed.push(flight.flightInfo.decode(bytes))
  const queries = listed.map(({ flightDescriptor }) => {
    const { value } = sql.readNamed(flightDescriptor!.cmd!)!
    return sql.commandStatementQuery.decode(value).query
  })
  t.same(
    queries.toSorted(),
    RELATIONS.map((table) => `SELECT * FROM "flights"."${table}"`),
  )
  const [{ flightDescriptor, endpoint }] = listed as [flight.FlightInfo]
  const planned = flight.flightInfo.decode(
    await client.calls.unary('GetFlightInfo', flight.flightDescriptor.encode(flightDescriptor!)),
  )
  t.ok(planned.endpoint?.length)
  for await (const part of client.calls.stream('DoGet', flight.ticket.encode(endpoint![0]!.ticket!))) {
    t.ok(part.length > 0, 'its columns come first')
    break
  }
})
