/**
 * Parses large texts in a separate thread. This file is both sides: the thread runs it again by its own URL, which works for the TypeScript
 * source under tsx and for a bundle that contains it.
 */

import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { GrainlineError } from '../../errors.js'
import { FairLine } from '../../fair-line.js'
import { codeOf, messageOf } from '../../invariant.js'
import { isRecord } from '../shape.js'
import { ownThread } from './own-thread.js'
import { addPortion, type Portion, portionsOf } from './portions.js'
import type { ReadText } from './read-text.js'
import type { SplitBody } from './split-body.js'
import { type TextWork, workOnText } from './text-work.js'

/** Larger texts are parsed in a separate thread, so that other requests are answered meanwhile. */
const WORKER_CHARACTERS = 200_000

/** The same result in any thread. Without a client, the server itself is the client. */
export const workApart = async (work: TextWork, client = ''): Promise<unknown> =>
  sizeOf(work) > WORKER_CHARACTERS ? threads.run(client, () => runThread(work)) : workOnText(work)

function sizeOf(work: TextWork): number {
  if (work.kind === 'body') return work.bytes.length
  return work.kind === 'write' ? work.text.length * TIMES_SLOWER : work.text.length
}

/** Writing a document as YAML takes longer than reading it. */
const TIMES_SLOWER = 10

const ROLE = 'grainline:parse'
/** The number of concurrent threads; more texts wait. */
const MAX_THREADS = 2
/** A text of five million characters needs a fraction of this. */
const HEAP_MB = 768

const threads = new FairLine(MAX_THREADS)

type Message =
  | ({ readonly kind: 'portion' } & Portion)
  /** `inPortions` if the document was sent before. */
  | { readonly kind: 'result'; readonly value: unknown; readonly inPortions: boolean }

/** If no thread can be started, this thread parses the text. */
function runThread(work: TextWork): Promise<unknown> {
  return new Promise((resolve) => {
    const document: Record<string, unknown> = {}
    const thread = ownThread(import.meta.url, {
      workerData: { role: ROLE, work },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    })
    let settled = false
    const settle = (value: unknown): void => {
      if (settled) return
      settled = true
      resolve(value)
      void thread.terminate()
    }
    thread.on('message', (message: Message) => {
      if (message.kind === 'result')
        return settle(message.inPortions ? { ...(message.value as ReadText), value: document } : message.value)
      addPortion(document, message)
      // Requested one by one: queued messages would all be deserialized in one turn of the event loop.
      setImmediate(() => thread.postMessage('next'))
    })
    thread.on('error', (error) => settled || settle(outOfMemory(error) ?? madeHere(work)))
    thread.on('exit', () => settled || settle(madeHere(work)))
  })
}

/** A text that failed in a thread may be too large here, too. */
function madeHere(work: TextWork): unknown {
  try {
    return workOnText(work)
  } catch (error) {
    return {
      fault: { code: 'YAML_SAFETY_ERROR', message: `The text cannot be worked on: ${messageOf(error)}`, offset: 0 },
    }
  }
}

function outOfMemory(error: unknown): ReadText | undefined {
  if (codeOf(error) !== 'ERR_WORKER_OUT_OF_MEMORY') return undefined
  return { fault: { code: 'YAML_SAFETY_ERROR', message: 'The document needs more memory than is allowed', offset: 0 } }
}

if (!isMainThread && (workerData as { role?: unknown } | null)?.role === ROLE)
  void answer((workerData as { work: TextWork }).work)

async function answer(work: TextWork): Promise<void> {
  const result = workOnText(work)
  const post = (message: Message): void => parentPort!.postMessage(message)
  const value = work.kind === 'read' ? (result as ReadText).value : undefined
  let inPortions = false
  for (const portion of isRecord(value) ? portionsOf(value) : []) {
    post({ kind: 'portion', ...portion })
    await new Promise((resolve) => parentPort!.once('message', resolve))
    inPortions = true
  }
  post({ kind: 'result', value: inPortions ? { ...(result as ReadText), value: undefined } : result, inPortions })
}

/** Splits a large body of a client in a separate thread. Rejects with `BAD_REQUEST` or `INVALID_REQUEST`. */
export async function readLargeBody(bytes: Uint8Array, client: string): Promise<SplitBody> {
  const { value, fault } = (await workApart({ kind: 'body', bytes }, client)) as ReadText
  if (fault) throw new GrainlineError(fault.code, fault.message, { path: fault.path ?? '' })
  return value as SplitBody
}
