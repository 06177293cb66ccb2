/**
 * Long texts of another format are read in another process, so that other requests are answered meanwhile, and whatever a text does to its reader, the server
 * continues. A thread would not do: V8 ends the whole process when a large value does not fit into the memory of a thread.
 */
import type { ChildProcess } from 'node:child_process'
import { FairLine } from '../fair-line.js'
import { messageOf } from '../invariant.js'
import { endWithServer, startBeside } from '../process-beside.js'
import { deepPlace } from './deep-place.js'
import type { ForeignText, Imported, ImportedPlace, Importer, ImportFault, Loss } from './importer.js'
import { addPortion, MOST_VALUES, type Portion, portionsOf } from './parse/portions.js'
import { secondsOfProcess } from './process-seconds.js'
import { LastPlace, reached, reportPlaces } from './reached-place.js'

/** A shorter text is read in a fraction of the time that a request may hold the event loop. */
const LONG_CHARACTERS = 10_000
const MAX_PROCESSES = 2
const HEAP_MB = 768
/** Of the processor, so that a busy machine refuses no more texts than an idle one. A text of dbt with five million characters, which is the slowest, takes a third of it. */
const MOST_SECONDS = 60
/** How often the work of a process is looked at, in milliseconds. */
const EVERY_MS = 1000

/** A longer text takes more than that. It is refused before anything is made of it. */
export const MOST_CHARACTERS = 20_000_000

/** Whether the system says how long a process has worked. */
const TELLS = secondsOfProcess(process.pid) !== undefined

const line = new FairLine(MAX_PROCESSES)

type Read = Awaited<ReturnType<Importer['read']>>

/**
 * The same importer, which reads long texts in another process. That runs the module `self` again (its `import.meta.url`), which must call `apart`
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
  if (process.argv[2] === role && process.send) serve(shallow)
  return {
    ...importer,
    read: async (source) => {
      if (source.text.length > MOST_CHARACTERS) return TOO_LONG
      if (weigh(source.text) <= LONG_CHARACTERS) return shallow.read(source)
      return line.run(source.client ?? '', () => new Reading(started(self, role), source, mostSeconds).result)
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

/** The descriptor to which a reader writes its places; those before it are of the process, and of its messages. */
const PLACES = 4

function started(self: string, role: string): ChildProcess {
  const reader = startBeside(self, { args: [role], execArgv: [`--max-old-space-size=${HEAP_MB}`], pipes: 1 })
  // While it works, it does not notice that the server has ended.
  const end = () => void reader.kill('SIGKILL')
  process.once('exit', end)
  reader.once('close', () => process.off('exit', end))
  return reader
}

/** What the process sends. Large values come in pieces, because a message is read in one turn of the event loop. */
type Message =
  | { readonly kind: 'document'; readonly portion: Portion }
  | { readonly kind: 'places'; readonly places: readonly ImportedPlace[] }
  | { readonly kind: 'losses'; readonly losses: readonly Loss[] }
  | { readonly kind: 'faults'; readonly faults: readonly ImportFault[] }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'end' }

/** How V8 ends a process that has no more memory. On Windows it is a code. */
const ENDED_BY_V8 = 134

/** A text that a process reads; the process ends with it. */
class Reading {
  readonly result: Promise<Read>
  readonly #document: Record<string, unknown> = {}
  readonly #places: ImportedPlace[] = []
  readonly #losses: Loss[] = []
  readonly #reached = new LastPlace()
  /** The work that the process had done before it began to read. */
  #before: number | undefined
  /** Why the process is ended before it has read everything. */
  #refusal: string | undefined

  constructor(
    private readonly reader: ChildProcess,
    source: ForeignText,
    private readonly mostSeconds: number,
  ) {
    const timer = setInterval(() => this.#look(), EVERY_MS)
    reader.stdio[PLACES]?.on('data', (bytes: Buffer) => {
      this.#before ??= this.#worked()
      this.#reached.take(bytes)
    })
    const reading = new Promise<Read>((resolve, reject) => {
      reader.on('message', (message: Message) => {
        if (message.kind === 'failed') return reject(new Error(message.message))
        if (message.kind === 'faults') return resolve({ faults: message.faults })
        if (message.kind === 'end') return resolve(this.#whole())
        this.#add(message)
        setImmediate(() => this.#send('next'))
      })
      reader.on('error', reject)
      // By then, everything that it has written is read.
      reader.on('close', (code, signal) => {
        const refusal = this.#refusal ?? (code === ENDED_BY_V8 || signal !== null ? NO_MEMORY : undefined)
        if (refusal === undefined) reject(new Error(`The process that reads the text has ended (${code})`))
        else resolve({ faults: [{ message: refusal, place: this.#reached.place }] })
      })
    })
    this.#send(source)
    this.result = reading.finally(() => {
      clearInterval(timer)
      reader.kill('SIGKILL')
    })
  }

  /** Nothing is sent to a process that has ended. */
  #send(message: ForeignText | 'next'): void {
    if (this.reader.connected) this.reader.send(message, () => undefined)
  }

  /** In seconds. Where the system does not tell, it is the time that passes; a process that has ended has none. */
  #worked(): number | undefined {
    return TELLS ? secondsOfProcess(this.reader.pid ?? 0) : performance.now() / 1000
  }

  #look(): void {
    const worked = this.#worked()
    if (worked === undefined || this.#before === undefined || worked - this.#before <= this.mostSeconds) return
    this.#refusal = `The text takes more than ${this.mostSeconds} seconds of the processor to read.`
    this.reader.kill('SIGKILL')
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

/** The process that reads. The server ends it; without a server it has nothing to do. */
function serve(importer: Importer): void {
  reportPlaces(PLACES)
  endWithServer()
  process.once('message', (source: ForeignText) => {
    // The work counts from here.
    reached({ line: 1, column: 1 })
    void answer(importer, source)
  })
}

async function answer(importer: Importer, source: ForeignText): Promise<void> {
  for await (const message of messagesOf(importer, source)) {
    process.send?.(message)
    await new Promise((resolve) => process.once('message', resolve))
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
