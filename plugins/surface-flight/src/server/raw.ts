import type { MethodDefinition } from '@grpc/grpc-js'

interface Shape {
  readonly asks?: 'one' | 'many'
  readonly answers?: 'one' | 'many'
}

const same = (bytes: Uint8Array): Buffer => bytes as Buffer

/** Defines a call whose messages are bytes. The handler decodes them, so that malformed messages are refused like other faults. */
export const raw = (
  service: string,
  name: string,
  { asks = 'one', answers = 'one' }: Shape = {},
): MethodDefinition<Uint8Array, Uint8Array> => ({
  path: `/${service}/${name}`,
  requestStream: asks === 'many',
  responseStream: answers === 'many',
  requestSerialize: same,
  requestDeserialize: same,
  responseSerialize: same,
  responseDeserialize: same,
})
