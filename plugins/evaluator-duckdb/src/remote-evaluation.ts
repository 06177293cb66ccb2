import type { ChildProcess } from 'node:child_process'
import { GrainlineError } from '@grainline/core'
import { startEvaluatorProcess } from './evaluator-process.js'
import { tooMuch } from './memory-guard.js'
import { type Answer, errorOf, type Reply, type Request, type Step } from './messages.js'
import type { Bounds } from './options.js'

/** How long a stopped evaluation may go on; then the process is abandoned. */
const GRACE_MS = 2000

interface Ways {
  readonly start?: (bounds: Bounds) => ChildProcess
  readonly graceMs?: number
}

/** One evaluation in a separate process. */
export interface RemoteEvaluation {
  /** Resolves when the step is done. `part` gets its partial answers. */
  ask(step: Step, part?: (answer: Answer) => void): Promise<void>
  /** Rejects the step at work with the reason: when it has stopped, or when it does not within two seconds. */
  stop(reason: unknown): void
  end(): void
}

/** The process that evaluates: started when it is first needed, and again when one had to be ended. */
export class EvaluatorProcesses {
  #current: EvaluatorProcess | undefined
  #former: EvaluatorProcess | undefined

  constructor(
    private readonly bounds: Bounds,
    private readonly ways: Ways = {},
  ) {}

  open(): RemoteEvaluation {
    if (this.#current?.isRetired !== false) {
      // Requests may still run in the former process. A third process would need too much memory.
      this.#former?.kill()
      this.#former = this.#current
      const { start = startEvaluatorProcess, graceMs = GRACE_MS } = this.ways
      this.#current = new EvaluatorProcess(start(this.bounds), graceMs)
    }
    return this.#current.open()
  }

  async close(): Promise<void> {
    await Promise.all([this.#current?.kill(), this.#former?.kill()])
  }
}

class EvaluatorProcess {
  isRetired = false
  readonly #evaluations = new Map<number, Evaluation>()
  readonly #ended: Promise<void>
  #opened = 0
  #isHeard = false

  constructor(
    private readonly child: ChildProcess,
    private readonly graceMs: number,
  ) {
    child.on('message', (reply: Reply) => this.#hear(reply))
    this.#ended = new Promise((resolve) => {
      child.once('exit', () => resolve())
      child.once('error', () => resolve())
    })
    void this.#ended.then(() => this.#lose())
  }

  open(): RemoteEvaluation {
    const id = this.#opened++
    if (this.#evaluations.size === 0) this.#keepServer(true)
    const evaluation = new Evaluation((step) => this.#send({ id, ...step }), {
      giveUp: () => this.#giveUp(id),
      graceMs: this.graceMs,
    })
    this.#evaluations.set(id, evaluation)
    return {
      ask: (step, part) => evaluation.ask(step, part),
      stop: (reason) => evaluation.stop(reason),
      end: () => {
        evaluation.end()
        this.#leave(id)
      },
    }
  }

  kill(): Promise<void> {
    this.isRetired = true
    // Its end is waited for.
    this.child.ref()
    this.child.kill('SIGKILL')
    return this.#ended
  }

  #send(request: Request): void {
    // Where it has ended, all who wait get an error.
    if (this.child.connected) this.child.send(request, () => undefined)
  }

  #hear(reply: Reply): void {
    this.#isHeard = true
    if ('id' in reply) {
      this.#evaluations.get(reply.id)?.hear(reply)
      return
    }
    this.isRetired = true
    if (reply.kind === 'grown') for (const evaluation of this.#evaluations.values()) evaluation.stop(tooMuch())
    this.#endIfUnused()
  }

  /** Other evaluations there go on; no new ones start. */
  #giveUp(id: number): void {
    this.isRetired = true
    this.#leave(id)
  }

  #leave(id: number): void {
    this.#evaluations.delete(id)
    if (this.#evaluations.size === 0) this.#keepServer(false)
    this.#endIfUnused()
  }

  /** A pending evaluation keeps the server alive; the process itself does not. */
  #keepServer(waits: boolean): void {
    for (const handle of [this.child, this.child.channel]) {
      if (waits) handle?.ref()
      else handle?.unref()
    }
  }

  #endIfUnused(): void {
    if (this.isRetired && this.#evaluations.size === 0) void this.kill()
  }

  #lose(): void {
    this.isRetired = true
    for (const evaluation of this.#evaluations.values()) evaluation.lose(this.#isHeard ? ended() : notStarted())
  }
}

class Evaluation {
  #waiting: { readonly resolve: () => void; readonly reject: (reason: unknown) => void } | undefined
  #part: ((answer: Answer) => void) | undefined
  #reason: { readonly is: unknown } | undefined
  #grace: NodeJS.Timeout | undefined
  #lost: GrainlineError | undefined

  constructor(
    private readonly send: (step: Step) => void,
    private readonly stopping: { readonly giveUp: () => void; readonly graceMs: number },
  ) {}

  ask(step: Step, part?: (answer: Answer) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#reason) return reject(this.#reason.is)
      if (this.#lost) return reject(this.#lost)
      this.#waiting = { resolve, reject }
      this.#part = part
      this.send(step)
    })
  }

  hear(answer: Answer): void {
    if (answer.kind === 'done' && !this.#reason) this.#settle()?.resolve()
    else if (answer.kind === 'done') this.#settle()?.reject(this.#reason!.is)
    else if (answer.kind === 'failed') this.#settle()?.reject(this.#reason ? this.#reason.is : errorOf(answer.fault))
    else this.#part?.(answer)
  }

  stop(reason: unknown): void {
    if (this.#reason) return
    this.#reason = { is: reason }
    this.send({ kind: 'stop' })
    if (!this.#waiting) return
    this.#grace = setTimeout(() => {
      this.#settle()?.reject(reason)
      this.stopping.giveUp()
    }, this.stopping.graceMs)
  }

  end(): void {
    clearTimeout(this.#grace)
    this.send({ kind: 'end' })
  }

  lose(lost: GrainlineError): void {
    this.#lost = lost
    this.#settle()?.reject(this.#reason ? this.#reason.is : lost)
  }

  #settle() {
    const waiting = this.#waiting
    this.#waiting = undefined
    clearTimeout(this.#grace)
    return waiting
  }
}

const ended = (): GrainlineError =>
  new GrainlineError('EVALUATION_TOO_LARGE', 'The outer statement ended the process that evaluates it', {
    path: 'sql',
    hint: 'Filter or group inside the subqueries.',
  })

const notStarted = (): GrainlineError =>
  new GrainlineError('VENDOR_UNAVAILABLE', 'The process that evaluates outer statements cannot be started')
