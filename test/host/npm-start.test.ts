import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import t from 'tap'

const root = path.resolve(import.meta.dirname, '../..')

t.test(
  'npm start serves the example, and a SIGTERM to npm ends the server too',
  {
    skip: process.platform === 'win32' && 'there are no signals',
  },
  async (t) => {
    const env = { ...process.env, PORT: '0', LOG_FORMAT: 'json', NODE_OPTIONS: '' }
    // A separate process group, so that no process remains when the test fails.
    const npm = spawn('npm', ['start'], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
    // `close` is emitted when the last process that holds the output has ended, not only npm.
    const closed = once(npm, 'close')
    t.teardown(() => {
      if (npm.stdout.readableEnded) return
      process.kill(-npm.pid!, 'SIGKILL')
    })
    let output = ''
    const address = await new Promise<string>((resolve, reject) => {
      npm.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text
        const found = /listens? on (http[^,]+), TLS/.exec(output)
        if (found) resolve(found[1]!)
      })
      closed.then(() => reject(new Error(output)))
    })
    const answer = await fetch(`${address}/v1/query/execute`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"select":{"measures":["Flight Count"]}}',
    })
    t.match(await answer.json(), { rows: [[336_776]] })
    npm.kill('SIGTERM')
    await closed
    t.match(output, /: closing/)
  },
)
