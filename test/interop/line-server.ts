/** An engine in a program that reads one request per line and answers each with a line, both in JSON. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface LineServer<Reply> {
  /** Rejects with the message of the engine if the request fails. */
  readonly ask: (request: object) => Promise<Reply>
  readonly stop: () => Promise<void>
}

export function startLineServer<Reply>(command: string, args: readonly string[], env: object = {}): LineServer<Reply> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, ...env } })
  const waiting: { readonly resolve: (reply: Reply) => void; readonly reject: (error: Error) => void }[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    const reply = JSON.parse(line) as Reply & { readonly error?: string }
    const { resolve, reject } = waiting.shift()!
    if (reply.error === undefined) resolve(reply)
    else reject(new Error(reply.error))
  })
  child.once('exit', (code) => {
    for (const { reject } of waiting) reject(new Error(`${command} ended with ${code}`))
  })
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        child.stdin.write(`${JSON.stringify(request)}\n`)
      }),
    stop: () => ended(child),
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const gone = once(child, 'exit')
  child.kill()
  await gone
}
