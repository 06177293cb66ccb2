/** What clients send to hold a server up. */
import { connect } from 'node:http2'
import { GSS_REQUEST, message, query, SSL_REQUEST, startup } from '../pgwire/raw-client.js'

const MB = 1024 * 1024
export const LOGIN = startup({ user: 'x', database: 'flights' })

const many = (bytes: Buffer, count: number): Buffer => Buffer.concat(Array.from({ length: count }, () => bytes))

export const WIRE_FLOODS: Readonly<Record<string, Buffer>> = {
  'statements that are never read': Buffer.concat([LOGIN, many(query('SELECT "Flight Count" FROM flights'), 1500)]),
  'constants that are never read': Buffer.concat([LOGIN, many(query('SELECT 1'), 3000)]),
  'statements that are wrong': Buffer.concat([LOGIN, many(query('SELEC'), 3000)]),
  'empty statements': Buffer.concat([LOGIN, many(query(''), 10_000)]),
  'messages of the extended protocol': Buffer.concat([LOGIN, many(message('S'), 10_000)]),
  'requests for encryption': many(SSL_REQUEST, 5000),
  'requests for GSS': many(GSS_REQUEST, 5000),
  'several logins': many(LOGIN, 1000),
  'zero bytes': Buffer.alloc(MB),
}

export const FLIGHT_PREFACE = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
])

/** Opens and resets calls in bursts until the server closes the session. */
export function resetCalls(port: number): Promise<void> {
  return new Promise((resolve) => {
    const session = connect(`http://127.0.0.1:${port}`)
    session.on('error', () => undefined)
    session.once('close', resolve)
    session.once('remoteSettings', () => {
      for (let i = 0; i < 1200; i++) {
        if (session.destroyed) return
        const stream = session.request({ ':method': 'POST', ':path': PATH, 'content-type': 'application/grpc', te: 'trailers' })
        stream.on('error', () => undefined)
        stream.close(8)
      }
      session.close()
    })
  })
}
const PATH = '/arrow.flight.protocol.FlightService/GetFlightInfo'
