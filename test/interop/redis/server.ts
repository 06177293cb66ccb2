import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** `REDIS_SERVER`, or else the first of Redis and Valkey that is installed. */
const CANDIDATES = [process.env.REDIS_SERVER ?? '', '/usr/bin/valkey-server', '/usr/bin/redis-server']

export const redisBinary = (): string | undefined => CANDIDATES.find((file) => file !== '' && existsSync(file))

/** A server on a free port; it can be stopped and restarted there. */
export async function redisServer(binary: string) {
  const port = await freePort()
  const start = async () => {
    const child = spawn(binary, ['--port', String(port), '--save', '', '--appendonly', 'no'], { stdio: 'ignore' })
    for (let i = 0; i < 200 && !(await answers(port)); i++) await sleep(50)
    return child
  }
  let child = await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      const ended = new Promise((done) => child.once('exit', done))
      child.kill('SIGKILL')
      await ended
    },
    async start() {
      child = await start()
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
