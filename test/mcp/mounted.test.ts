import { getEncoding } from 'js-tiktoken'
import t from 'tap'
import { OPERATORS } from '../../core/src/model/operators.js'
import { querySchema } from '../../core/src/query/query-schema.js'
import { agentOver, serveDemo } from './served.js'

const url = await serveDemo(t)
/** With the tools that are offered by default. */
const plain = await serveDemo(t, { MCP_TOOLSETS: '' })

t.test('an agent finds fields, runs a query, and reads the meaning of the numbers', async (t) => {
  const { client, call } = await agentOver(t, `${url}/v1/mcp`)
  const { tools } = await client.listTools()
  t.same(
    tools.map(({ name }) => name),
    ['search_fields', 'describe_fields', 'field_values', 'query', 'validate_model', 'load_model', 'remove_model'],
  )
  const found = await call('search_fields', { text: 'departure delay' })
  t.match(found.text, /^Average Departure Delay: measure float = avg\(Flights\.Departure Delay\)/)
  t.match((await call('search_fields')).text, /^name\tkind\ttype\tfrom\n/)
  const values = await call('field_values', { field: 'Origin Code', contains: 'jf' })
  t.equal(values.text, 'JFK')
  const question = {
    dimensions: ['Origin Code'],
    measures: ['Flight Count'],
    order_by: [{ field: 'Flight Count', direction: 'desc' }],
  }
  const rows = 'Origin Code\tFlight Count\nEWR\t120835\nJFK\t111279\nLGA\t104662'
  t.equal((await call('query', question)).text, rows, 'rows alone')
  const asked = await call('query', { ...question, receipt: true })
  t.ok(asked.text.startsWith(`${rows}\n--\n`))
  t.match(asked.structured, { columns: ['Origin Code', 'Flight Count'], truncated: false })
  t.match(asked.text, /\nFlight Count = count.*\nmodel flights [0-9a-f]{12}, zone America\/New_York, read 20/s)
})

t.test('the descriptions of the tools stay within the token budget', async (t) => {
  const { client } = await agentOver(t, `${url}/v1/mcp`)
  const { tools } = await client.listTools()
  const encoding = getEncoding('o200k_base')
  const cost = (from: typeof tools) =>
    from.reduce(
      (sum, { name, description, inputSchema }) =>
        sum + encoding.encode(JSON.stringify({ name, description, inputSchema })).length,
      0,
    )
  const all = cost(tools)
  t.ok(all <= 700, `${all} tokens for all tools`)
})

t.test('an error is a result that contains the fix', async (t) => {
  const { call } = await agentOver(t, `${url}/v1/mcp`)
  const misspelled = await call('query', { dimensions: ['Orgin Code'], measures: ['Flight Count'] })
  t.ok(misspelled.failed)
  t.match(misspelled.text, /UNKNOWN_\w+: .*Orgin Code/)
  t.match(misspelled.text, /Origin Code/)
  const empty = await call('query')
  t.match(empty, { failed: true, text: /EMPTY_SELECT/ })
  const described = await call('describe_fields', { names: ['Orgin Code', 'Origin Code'] })
  t.match(described.text, /^Orgin Code: no such field; closest: .*Origin Code/)
  t.match(described.text, /\nOrigin Code: dimension string = Origin Airports\.Code.*e\.g\. /)
})

t.test('an agent requests the top values and the group of the others', async (t) => {
  const { call } = await agentOver(t, `${url}/v1/mcp`)
  const top = { dimension: 'Airline', by: 'Flight Count', n: 2, others: 'Others' }
  const order_by = [{ field: 'Airline is others' }, { field: 'Flight Count', direction: 'desc' }]
  const asked = await call('query', {
    dimensions: ['Airline'],
    measures: ['Flight Count', 'Planes Flown'],
    order_by,
    more: { top },
  })
  t.match(
    asked.text,
    'Airline\tFlight Count\tPlanes Flown\tAirline is others\nUnited Air Lines Inc.\t58665\t620\tfalse\nJetBlue Airways\t54635\t193\tfalse\nOthers\t223476\t3230\ttrue',
  )
  const wrong = await call('query', {
    dimensions: ['Airline'],
    measures: ['Flight Count'],
    more: { top: { ...top, by: 'Flight Cnt' } },
  })
  t.match(wrong, { failed: true, text: /Flight Count/ })
})

t.test('a long answer is truncated and says so; an explicit limit is respected', async (t) => {
  const { call } = await agentOver(t, `${url}/v1/mcp`)
  const question = { dimensions: ['Destination Code'], measures: ['Flight Count'] }
  const cut = await call('query', question)
  t.match(cut.text, /… only the first 100 rows; give limit/)
  t.match(cut.structured, { truncated: true })
  const limited = await call('query', { ...question, limit: 3 })
  t.notMatch(limited.text, /…/)
  t.match(limited.structured, { rows: { length: 3 }, truncated: false })
})

t.test('a query of an agent can use every key', async (t) => {
  const { client, call } = await agentOver(t, `${url}/v1/mcp`)
  const { tools } = await client.listTools()
  const { inputSchema } = tools.find(({ name }) => name === 'query')!
  const written = JSON.stringify(inputSchema) + (await call('query', { mode: 'help' })).text
  const keys = (schema: { readonly properties: object }) => Object.keys(schema.properties)
  for (const key of [...keys(querySchema), ...keys(querySchema.properties.select)])
    t.ok(key === 'select' || new RegExp(`\\b${key}\\b`).test(written), key)
  for (const operator of Object.keys(OPERATORS))
    t.ok(
      OPERATORS[operator as keyof typeof OPERATORS].spellings.some((name) => saysOperator(written, name)),
      operator,
    )

  const count = async (asked: object) => (await call('query', { measures: ['Flight Count'], ...asked })).text
  t.match(await count({ where: [{ field: 'Origin Code', op: 'not_like', value: 'J%' }] }), /^Flight Count\n225497$/)
  t.match(await count({ where: [{ segment: 'Summer' }] }), /^Flight Count\n86995$/)
  const codes = ['JFK', 'LGA'].map((value) => ({ field: 'Origin Code', op: '=', value }))
  t.match(await count({ where: [{ logic: 'or', filters: codes }] }), /^Flight Count\n215941$/)
  t.match(await count({ where: [{ expression: "{[Origin Code]} = 'JFK'" }] }), /^Flight Count\n111279$/)
  const byOrigin = { dimensions: ['Origin Code'], order_by: [{ field: 'Origin Code' }] }
  t.match(await count({ ...byOrigin, having: [{ field: 'Flight Count', op: '>', value: 120_000 }] }), /\nEWR\t120835$/)
  t.match(await count({ ...byOrigin, more: { offset: 2 } }), /^Origin Code\tFlight Count\nLGA\t104662$/)
  t.match(await count({ ...byOrigin, more: { grouping: 'rollup' } }), /\t336776\t/)
  const made = { expression: "{[Origin Code]} = 'JFK'", as: 'Kennedy' }
  t.match(
    await count({ more: { dimensions: [made] }, order_by: [{ field: 'Kennedy' }] }),
    /^Kennedy\tFlight Count\n.*225497\n.*111279$/,
  )
  const columns = [{ measure: 'Flight Count', per: 'Planes', as: 'Flights' }]
  const often = {
    dimensions: ['Flights'],
    measures: ['Plane Count'],
    order_by: [{ field: 'Flights', direction: 'desc' }],
    limit: 1,
  }
  t.match(await count({ ...often, more: { columns } }), /^Flights\tPlane Count\n486\t1$/)
  const raw = await call('query', { more: { fields: ['Airlines.Code'], distinct: true }, limit: 1 })
  t.match(raw.text, /^Airlines\.Code\n\w\w$/)
  t.match(await call('query', { measures: ['Flight Count'], more: { ofset: 2 } }), { failed: true, text: /ofset/ })
  const wrong = { measures: ['Flight Count'], where: [{ field: 'Origin Code', op: 'startswith', value: 'J' }] }
  t.match(await call('query', wrong), { failed: true, text: /starts_with/ })
})

/** One pattern covers all `not_…` operators. */
const saysOperator = (written: string, name: string): boolean =>
  [name, name.replace(/^not_?/, ''), name.replace(/^length_/, '|')].some((form) => form !== '' && written.includes(form))

t.test('SQL and plan are returned without execution', async (t) => {
  const { call } = await agentOver(t, `${url}/v1/mcp`)
  const question = { dimensions: ['Origin Code'], measures: ['Flight Count'] }
  t.match((await call('query', { ...question, mode: 'compile', dialect: 'postgres' })).text, /^-- postgres\nSELECT/)
  t.match((await call('query', { ...question, mode: 'explain' })).text, /aggregate/i)
})

t.test('two tools are enough: a search finds fields, times, values and the words that are neither', async (t) => {
  const { client, call } = await agentOver(t, `${plain}/v1/mcp`)
  const { tools } = await client.listTools()
  t.same(
    tools.map(({ name }) => name),
    ['search_fields', 'query'],
  )
  const written = tools.map(({ name, description, inputSchema }) => JSON.stringify({ name, description, inputSchema }))
  const encoding = getEncoding('o200k_base')
  const tokens = [client.getInstructions() ?? '', ...written].reduce((sum, text) => sum + encoding.encode(text).length, 0)
  t.ok(tokens <= 380, `${tokens} tokens for the tools and the instructions`)
  const search = async (text: string) => (await call('search_fields', { text })).text.split('\n')
  const found = await search('How many flights of JetBlue from LaGuardia were cancelled by carrier in July with a steward?')
  for (const line of ['Airline = "JetBlue Airways"', 'Origin Airport = "La Guardia"', 'no field for: steward'])
    t.ok(found.includes(line), line)
  t.match(
    found.find((line) => line.startsWith('dimensions')),
    /Airline \(also carrier\)/,
  )
  t.match(
    found.find((line) => line.startsWith('times')),
    /^times: Date \(e\.g\. 2013-\d\d-\d\d\), Month/,
  )
  t.match(found[0], /^Cancelled Flights: measure int = count\(Flights\.Carrier\); only where Flights\.Departure Time is_null/)
  t.match((await search('Who is the steward?')).join(' '), /^No field is like .* no field for: steward$/)
  t.same(
    (await client.listPrompts()).prompts.map(({ name }) => name),
    ['answer'],
    'no prompt names a tool that is not offered',
  )
})

const OWN = `version: 1
name: own
dataObjects: { Planes: { code: planes, columns: { Tail: { code: tailnum, abstractType: string, primaryKey: true } } } }
measures: { Tails: { columns: [{ dataObject: Planes, column: Tail }], aggregation: count } }
`

t.test('two agents do not see models of each other, and published models do not change', async (t) => {
  const [one, other] = [await agentOver(t, `${url}/v1/mcp`), await agentOver(t, `${url}/v1/mcp`)]
  t.equal((await one.call('validate_model', { model_yaml: OWN })).text.split('\n')[0], 'valid')
  t.match(await one.call('validate_model', { model_yaml: OWN.replace('column: Tail }', 'column: Tal }') }), {
    text: /^not valid\nUNKNOWN_COLUMN.*Tail/,
  })
  const loaded = await one.call('load_model', { model_yaml: OWN })
  const model = /^model="([^"]+)"/.exec(loaded.text)?.[1]
  t.ok(model)
  t.match((await one.call('query', { measures: ['Tails'], model })).text, 'Tails\n3322')
  t.match(await other.call('query', { measures: ['Tails'] }), { failed: true, text: /UNKNOWN_/ })
  t.match(await one.call('query', { measures: ['Flight Count'] }), { text: /336776/ })
  t.match(await other.call('remove_model', { model: 'flights' }), { failed: true })
  t.equal((await one.call('remove_model', { model })).text, 'removed')
})

t.test('resources, completion and prompts', async (t) => {
  const { client } = await agentOver(t, `${url}/v1/mcp`)
  const uris = (await client.listResources()).resources.map(({ uri }) => uri)
  t.ok(uris.includes('grainline://reference/model-format') && uris.includes('grainline://schemas/model.json'))
  for (const uri of uris) t.ok((await client.readResource({ uri })).contents.length, uri)
  const field = await client.readResource({ uri: 'grainline://fields/Origin%20Code' })
  t.match(JSON.parse((field.contents[0] as { text: string }).text), { name: 'Origin Code', kind: 'dimension' })
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: 'grainline://fields/{name}' },
    argument: { name: 'name', value: 'fli' },
  })
  t.ok(completion.values.includes('Flight Count'))
  t.same(
    (await client.listPrompts()).prompts.map(({ name }) => name),
    ['answer', 'write_model', 'fix_model'],
  )
})

const ask = (body: object, headers: Record<string, string> = {}) =>
  fetch(`${url}/v1/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(body),
  })

t.test('clients of the 2025 revisions are supported', async (t) => {
  for (const revision of ['2025-11-25', '2025-06-18', '2025-03-26']) {
    const params = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'old', version: '1' } }
    const answer = await ask({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    t.match(await answer.text(), `"protocolVersion":"${revision}"`)
    const call = { name: 'query', arguments: { measures: ['Flight Count'] } }
    const called = await ask({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call }, { 'mcp-protocol-version': revision })
    t.match(await called.text(), '336776', revision)
  }
})
