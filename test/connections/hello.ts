/** The bytes with which a TLS client begins. */
import { Duplex } from 'node:stream'
import { connect } from 'node:tls'

/** The whole first message of a client that offers these protocols. */
export function helloOf(ALPNProtocols: readonly string[]): Promise<Buffer> {
  return new Promise((resolve) => {
    const socket = new Duplex({
      read: () => undefined,
      write(bytes: Buffer) {
        resolve(bytes)
        setImmediate(() => socket.destroy())
      },
    })
    connect({ socket, servername: 'localhost', ALPNProtocols: [...ALPNProtocols] }).on('error', () => undefined)
  })
}
