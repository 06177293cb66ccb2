/**
 * Reads long statements in a second thread, so that other requests continue. This file contains both sides: the thread runs it again by its own
 * address, which holds for the TypeScript source under tsx as for a bundle that contains it.
 */
import { isMainThread, type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import { FairLine } from '@grainline/core/language'
import { loadGrammar, type ReadText, readText, type TextFault } from './grammar.js'

/** The result as JSON, which is quick to transfer, or the reason for the failure. */
export type ReadApart = { readonly tree: string } | { readonly fault: TextFault }

/** Maximum number of characters of a tree as JSON. Parsing more would block the event loop, and so would the following steps. */
const MOST_OF_A_TREE = 700_000

/** Reads a text of a client in the thread. */
export type ReadInTurn = (text: string, client: string) => Promise<ReadApart>

/**
 * Texts are read one after the other, in the order of a fair queue. If no thread can be started, they are read here.
 */
export const readerIn =
  (line: FairLine): ReadInTurn =>
  (text, client) =>
    line.run(client, () => readNow(text))

/** The next waiting text is that of the client that used the thread least in recent time. */
export const readApart = readerIn(new FairLine(1))

async function readNow(text: string): Promise<ReadApart> {
  thread ??= startThread()
  try {
    return await thread.ask(text)
  } catch {
    return inJson(readText(await loadGrammar(), text))
  }
}

export const fromApart = (tree: string): ReadText => JSON.parse(tree)

interface SqlThread {
  ask(text: string): Promise<ReadApart>
}

interface Waiting {
  readonly resolve: (read: ReadApart) => void
  readonly reject: (error: Error) => void
}

const ROLE = 'grainline:sql'
const READY = 'ready'
let thread: SqlThread | undefined

/** A text that crashes the thread is not read again, because here it would crash the server. */
const LOST: ReadApart = { fault: { message: 'The statement ended the thread that reads it' } }

/** A thread that is kept for reuse; it keeps the process alive only while a request waits for it. */
function startThread(): SqlThread {
  const worker = workerOf()
  const waiting: Waiting[] = []
  let isReady = false
  const end = (error: Error) => {
    thread = undefined
    for (const { resolve, reject } of waiting.splice(0)) isReady ? resolve(LOST) : reject(error)
  }
  worker.on('message', (read: ReadApart | typeof READY) => {
    if (read === READY) {
      isReady = true
      return
    }
    waiting.shift()?.resolve(read)
    if (waiting.length === 0) worker.unref()
  })
  worker.on('error', end)
  worker.on('exit', () => end(new Error('The thread that reads statements has ended')))
  return {
    ask: (text) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        worker.ref()
        worker.postMessage(text)
      }),
  }
}

function workerOf(): Worker {
  const options = { workerData: { role: ROLE } }
  const self = import.meta.url
  if (!self.endsWith('.ts')) return new Worker(new URL(self), options)
  // The TypeScript loader of the main thread does not apply to other threads; it is registered there first.
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'))
  const start = `import(${loader}).then((tsx) => { tsx.register(); return import(${JSON.stringify(self)}) })`
  return new Worker(start, { ...options, eval: true })
}

if (!isMainThread && (workerData as { role?: unknown } | null)?.role === ROLE) void serve(parentPort!)

async function serve(port: MessagePort): Promise<void> {
  const grammar = await loadGrammar()
  port.on('message', (text: string) => port.postMessage(inJson(readText(grammar, text))))
  port.postMessage(READY)
}

function inJson(read: ReturnType<typeof readText>): ReadApart {
  if ('fault' in read) return read
  const tree = JSON.stringify(read)
  return tree.length > MOST_OF_A_TREE ? { fault: { message: 'The statement has too many parts' } } : { tree }
}
