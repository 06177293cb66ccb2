/** Long texts of another format are read in a thread, so that other requests are answered meanwhile. */
import { isMainThread, type MessagePort, parentPort, type Worker, workerData } from 'node:worker_threads'
import { FairLine } from '../fair-line.js'
import { codeOf, messageOf } from '../invariant.js'
import { deepPlace } from './deep-place.js'
import type { ForeignText, Imported, ImportedPlace, Importer, ImportFault, Loss } from './importer.js'
import { ownThread } from './parse/own-thread.js'
import { addPortion, MOST_VALUES, type Portion, portionsOf } from './parse/portions.js'
import { placeIn, type SharedPlace, secondsOfReading, sharedPlace, sharePlace } from './reached-place.js'
import { ownThreadNumber, secondsOfProcess } from './thread-seconds.js'

/** A shorter text is read in a fraction of the time that a request may hold the event loop. */
const LONG_CHARACTERS = 10_000
const MAX_THREADS = 2
const HEAP_MB = 768
/** Of the processor, so that a busy machine refuses no more texts than an idle one. A text of dbt with five million characters, which is the slowest, takes a third of it. */
const MOST_SECONDS = 60
/** How often the work of a thread is looked at, in milliseconds. */
const EVERY_MS = 1000

/** A longer text takes more than that. It is refused before anything is made of it, because one value of such a size could end the process, and not only the thread. */
export const MOST_CHARACTERS = 20_000_000

/** Elsewhere the whole process counts: no thread of it has worked longer. */
const TELLS_THREADS = ownThreadNumber() > 0

const line = new FairLine(MAX_THREADS)

type Read = Awaited<ReturnType<Importer['read']>>

/**
 * The same importer, which reads long texts in a thread. The thread runs the module `self` again (its `import.meta.url`), which must call `apart`
 * when it is loaded. A text that takes too much memory or work is no model, and the fault has the place that was `reached`. `weigh` gives the
 * characters that a text counts as: more than it has if it means a lot, as views that inherit from each other do.
 */
export function apart(
  importer: Importer,
  self: string,
  weigh = (text: string): number => text.length,
  mostSeconds: number = MOST_SECONDS,
): Importer {
  const role = `grainline:import:${importer.name}`
  const shallow = { ...importer, read: (source: ForeignText) => readShallow(importer, source) }
  if (!isMainThread && isWork(workerData) && workerData.role === role && parentPort) {
    sharePlace(workerData.place)
    void answer(shallow, workerData.source, parentPort)
  }
  const inThread = (source: ForeignText) => {
    const place = sharedPlace()
    return new Reading(ownThread(self, optionsFor({ role, source, place })), place, mostSeconds).result
  }
  return {
    ...importer,
    read: async (source) => {
      if (source.text.length > MOST_CHARACTERS) return TOO_LONG
      return weigh(source.text) > LONG_CHARACTERS ? line.run(source.client ?? '', () => inThread(source)) : shallow.read(source)
    },
  }
}

const TOO_LONG = {
  faults: [
    {
      message: `The text has more than ${MOST_CHARACTERS.toLocaleString('en')} characters.`,
      hint: 'Convert a part of the project at a time.',
      place: { line: 1, column: 1 },
    },
  ],
}

/** A text that is nested deeper than the stack is no model, whatever reads it. */
async function readShallow(importer: Importer, source: ForeignText): Promise<Read> {
  try {
    return await importer.read(source)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    // The other error of this kind is about a value that has no place in the memory.
    if (!/call stack/.test(error.message)) return { faults: [{ message: NO_MEMORY, place: { line: 1, column: 1 } }] }
    return { faults: [{ message: 'The text is nested too deeply.', place: deepPlace(source.text) }] }
  }
}

const NO_MEMORY = 'The text needs more memory than is allowed.'

interface Work {
  readonly role: string
  readonly source: ForeignText
  /** Of the item that is being read. */
  readonly place: SharedPlace
}

const optionsFor = (work: Work) => ({ workerData: work, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } })

const isWork = (data: unknown): data is Work => typeof data === 'object' && data !== null && 'role' in data

/** What the thread sends. Large values come in pieces, because a message is read in one turn of the event loop. */
type Message =
  | { readonly kind: 'document'; readonly portion: Portion }
  | { readonly kind: 'places'; readonly places: readonly ImportedPlace[] }
  | { readonly kind: 'losses'; readonly losses: readonly Loss[] }
  | { readonly kind: 'faults'; readonly faults: readonly ImportFault[] }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'end' }

/** A text that a thread reads; the thread ends with it. */
class Reading {
  readonly result: Promise<Read>
  readonly #document: Record<string, unknown> = {}
  readonly #places: ImportedPlace[] = []
  readonly #losses: Loss[] = []

  constructor(thread: Worker, place: SharedPlace, mostSeconds: number) {
    let timer: NodeJS.Timeout | undefined
    const atStart = secondsOfProcess()
    const worked = () => (TELLS_THREADS ? secondsOfReading(place) : secondsOfProcess() - atStart)
    const reading = new Promise<Read>((resolve, reject) => {
      const refuse = (message: string) => resolve({ faults: [{ message, place: placeIn(place) }] })
      timer = setInterval(() => {
        if (worked() > mostSeconds) refuse(`The text takes more than ${mostSeconds} seconds of the processor to read.`)
      }, EVERY_MS)
      thread.on('message', (message: Message) => {
        if (message.kind === 'failed') return reject(new Error(message.message))
        if (message.kind === 'faults') return resolve({ faults: message.faults })
        if (message.kind === 'end') return resolve(this.#whole())
        this.#add(message)
        setImmediate(() => thread.postMessage('next'))
      })
      thread.on('error', (error) => (codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? refuse(NO_MEMORY) : reject(error)))
      thread.on('exit', () => reject(new Error('The thread that reads the text has ended')))
    })
    this.result = reading.finally(() => {
      clearInterval(timer)
      void thread.terminate()
    })
  }

  #add(message: Message): void {
    if (message.kind === 'document') addPortion(this.#document, message.portion)
    else if (message.kind === 'places') this.#places.push(...message.places)
    else if (message.kind === 'losses') this.#losses.push(...message.losses)
  }

  #whole(): Imported {
    return { document: this.#document, places: this.#places, losses: this.#losses }
  }
}

async function answer(importer: Importer, source: ForeignText, port: MessagePort): Promise<void> {
  for await (const message of messagesOf(importer, source)) {
    port.postMessage(message)
    await new Promise((resolve) => port.once('message', resolve))
  }
}

async function* messagesOf(importer: Importer, source: ForeignText): AsyncGenerator<Message> {
  try {
    const read = await importer.read(source)
    if ('faults' in read) return yield { kind: 'faults', faults: read.faults.slice(0, MOST_VALUES) }
    const portions = [...portionsOf(read.document)]
    for (const portion of portions.length > 0 ? portions : [{ path: [], entries: read.document }])
      yield { kind: 'document', portion }
    for (const places of inPieces(read.places)) yield { kind: 'places', places }
    for (const losses of inPieces(read.losses)) yield { kind: 'losses', losses }
    yield { kind: 'end' }
  } catch (error) {
    yield { kind: 'failed', message: messageOf(error) }
  }
}

/** A place has some ten values. */
const PIECE = MOST_VALUES / 10

function* inPieces<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += PIECE) yield items.slice(at, at + PIECE)
}
