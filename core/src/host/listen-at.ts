import type { Server } from 'node:net'
import { fail } from '../errors.js'
import { codeOf, messageOf } from '../invariant.js'

/** Where a server is to listen, and the setting that says so. */
export interface Address {
  readonly host: string
  readonly port: number
  readonly variable: string
}

/** Starts to listen; resolves to the port, which the system chooses if 0 is asked for. Rejects with `INVALID_VARIABLE` if the port cannot be had. */
export function listenAt(server: Server, where: Address): Promise<number> {
  const { host, port } = where
  return new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  }).catch((cause: unknown) => failToListen(where, cause))
}

export function failToListen({ host, port, variable }: Address, cause: unknown): never {
  const reason = codeOf(cause) === 'EADDRINUSE' ? 'the port is taken' : messageOf(cause)
  return fail('INVALID_VARIABLE', `${variable}=${port} on ${host} is not available: ${reason}`, { path: variable, cause })
}
