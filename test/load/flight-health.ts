import { Client, credentials } from '@grpc/grpc-js'

const raw = (bytes: Buffer) => bytes

/** Asks the health service of Flight SQL on a new connection. Rejects if it is not serving. */
export async function flightHealth(port: number): Promise<void> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure())
  try {
    const answer = await new Promise<Buffer | undefined>((resolve, reject) => {
      client.makeUnaryRequest('/grpc.health.v1.Health/Check', raw, raw, Buffer.alloc(0), (error, bytes) =>
        error ? reject(error) : resolve(bytes),
      )
    })
    if (answer?.equals(SERVING) !== true) throw new Error(`Flight SQL answers ${answer?.toString('hex')}`)
  } finally {
    client.close()
  }
}

const SERVING = Buffer.of(0x08, 1)
