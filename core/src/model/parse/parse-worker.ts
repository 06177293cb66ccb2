/**
 * Reads large texts in a thread of their own. This file is both sides: the thread runs it again by its own address, which holds
 * for the TypeScript source under tsx as for a bundle that contains it.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { FairLine } from '../../fair-line.js'
import { isRecord } from '../shape.js'
import { locate, type Wanted } from './locate.js'
import { type ReadText, readText } from './read-text.js'
import { splitBody } from './split-body.js'
import { setOwn } from './yaml.js'

/** Work on a text, which may be done here or elsewhere. */
export type TextWork =
  | { readonly kind: 'read'; readonly text: string; readonly strictJson?: boolean }
  | { readonly kind: 'body'; readonly bytes: Uint8Array }
  | { readonly kind: 'locate'; readonly text: string; readonly wanted: readonly Wanted[] }

export function workOnText(work: TextWork): unknown {
  switch (work.kind) {
    case 'read':
      return readText(work.text, work.strictJson)
    case 'body':
      return splitBody(Buffer.from(work.bytes).toString())
    case 'locate':
      return locate(work.text, work.wanted)
  }
}

/** Larger texts are worked on in a thread of their own, so that other requests are answered meanwhile. */
const WORKER_CHARACTERS = 200_000

/** The same answer wherever it is made. Without a client it is for the server itself. */
export const workApart = async (work: TextWork, client = ''): Promise<unknown> =>
  sizeOf(work) > WORKER_CHARACTERS ? threads.run(client, () => runThread(work)) : workOnText(work)

const sizeOf = (work: TextWork): number => (work.kind === 'body' ? work.bytes.length : work.text.length)

const ROLE = 'grainline:parse'
/** Threads at work at once; more texts wait for their turn. */
const MAX_THREADS = 2
/** A text of five million characters needs a fraction of this. */
const HEAP_MB = 768
/** Entries of a section per message, so that no message takes long to unpack. */
const ENTRIES = 200

const threads = new FairLine(MAX_THREADS)

type Message =
  | { readonly kind: 'entries'; readonly section: string; readonly entries: Readonly<Record<string, unknown>> }
  | { readonly kind: 'result'; readonly value: unknown }

/** Where no thread can be started, the answer is made here. */
function runThread(work: TextWork): Promise<unknown> {
  return new Promise((resolve) => {
    const sections = new Map<string, Record<string, unknown>>()
    const thread = startThread(work)
    let settled = false
    const settle = (value: unknown): void => {
      if (settled) return
      settled = true
      resolve(value)
      void thread.terminate()
    }
    thread.on('message', (message: Message) => {
      if (message.kind === 'result') return settle(withSections(message.value, sections))
      const section = sections.get(message.section) ?? {}
      sections.set(message.section, section)
      for (const [key, value] of Object.entries(message.entries)) setOwn(section, key, value)
      // Asked for one by one: messages that have queued up would all be unpacked in one turn of the event loop.
      setImmediate(() => thread.postMessage('next'))
    })
    thread.on('error', (error) => settled || settle(outOfMemory(error) ?? madeHere(work)))
    thread.on('exit', () => settled || settle(madeHere(work)))
  })
}

function startThread(work: TextWork): Worker {
  const options = { workerData: { role: ROLE, work }, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } }
  const self = import.meta.url
  if (!self.endsWith('.ts')) return new Worker(new URL(self), options)
  // The TypeScript loader of the main thread does not reach into others; it is registered there first.
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'))
  const start = `import(${loader}).then((tsx) => { tsx.register(); return import(${JSON.stringify(self)}) })`
  return new Worker(start, { ...options, eval: true })
}

/** What no thread could do may be too much here, too. */
function madeHere(work: TextWork): unknown {
  try {
    return workOnText(work)
  } catch (error) {
    return {
      fault: { code: 'YAML_SAFETY_ERROR', message: `The text cannot be worked on: ${(error as Error).message}`, offset: 0 },
    }
  }
}

function outOfMemory(error: unknown): ReadText | undefined {
  if ((error as { code?: unknown }).code !== 'ERR_WORKER_OUT_OF_MEMORY') return undefined
  return { fault: { code: 'YAML_SAFETY_ERROR', message: 'The document needs more memory than is allowed', offset: 0 } }
}

function withSections(result: unknown, sections: ReadonlyMap<string, Record<string, unknown>>): unknown {
  const { value } = result as ReadText
  if (isRecord(value)) for (const [name, entries] of sections) setOwn(value, name, entries)
  return result
}

if (!isMainThread && (workerData as { role?: unknown } | null)?.role === ROLE)
  void answer((workerData as { work: TextWork }).work)

async function answer(work: TextWork): Promise<void> {
  const result = workOnText(work)
  const post = (message: Message): void => parentPort!.postMessage(message)
  const value = work.kind === 'read' ? (result as ReadText).value : undefined
  if (isRecord(value)) {
    for (const part of splitSections(value)) {
      post(part)
      await new Promise((resolve) => parentPort!.once('message', resolve))
    }
  }
  post({ kind: 'result', value: result })
}

/** Takes the large sections out of the document, leaving empty ones in their place. */
function* splitSections(document: Record<string, unknown>): Generator<Message> {
  for (const [section, entries] of Object.entries(document)) {
    if (!isRecord(entries)) continue
    const all = Object.entries(entries)
    if (all.length <= ENTRIES) continue
    setOwn(document, section, {})
    for (let i = 0; i < all.length; i += ENTRIES) {
      const some: Record<string, unknown> = {}
      for (const [key, value] of all.slice(i, i + ENTRIES)) setOwn(some, key, value)
      yield { kind: 'entries', section, entries: some }
    }
  }
}
