/** What Flight SQL hands out, as a client gets it. */
import { type FlightSqlClient, flight, sql } from '@grainline/flight-sql'

/** What a client is answered by an action, and the cookie that it is given. */
export async function acted({ calls }: FlightSqlClient, type: string, body: Uint8Array) {
  const stream = calls.stream('DoAction', flight.action.encode({ type, body }))
  let cookie = ''
  stream.on('metadata', (metadata: { get(name: string): unknown[] }) => {
    cookie = String(metadata.get('set-cookie')[0] ?? '').split(';')[0] ?? ''
  })
  const answers: Buffer[] = []
  for await (const result of stream) answers.push(Buffer.from(flight.actionResult.decode(result as Buffer).body ?? []))
  return { cookie, answer: answers[0] ?? Buffer.alloc(0) }
}

export async function openedBy(client: FlightSqlClient, query: string) {
  const command = sql.named('CommandStatementQuery', sql.commandStatementQuery.encode({ query }))
  const descriptor = flight.flightDescriptor.encode({ type: flight.DESCRIPTOR_CMD, cmd: command })
  const info = await client.calls.unary('GetFlightInfo', descriptor)
  const endpoint = flight.flightInfo.decode(info).endpoint![0]!
  const request = sql.createPreparedStatementRequest.encode({ query })
  const { answer } = await acted(client, 'CreatePreparedStatement', sql.named('ActionCreatePreparedStatementRequest', request))
  const handle = sql.createPreparedStatementResult.decode(sql.readNamed(answer)!.value!).preparedStatementHandle!
  return { info, endpoint, ticket: endpoint.ticket!.ticket!, handle }
}

export const ofHandle = (handle: Uint8Array): Buffer =>
  sql.named('CommandPreparedStatementQuery', sql.commandPreparedStatementQuery.encode({ preparedStatementHandle: handle }))

/** The bytes of an answer. */
export async function bytesRead({ calls }: FlightSqlClient, ticket: Uint8Array): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of calls.stream('DoGet', flight.ticket.encode({ ticket }))) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}
