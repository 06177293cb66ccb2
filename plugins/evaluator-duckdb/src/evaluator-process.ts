/**
 * A separate process that evaluates statements: whatever a statement does to it, it can be stopped, and the server continues. This file is both
 * sides: the process runs it again by its own address, which holds for the TypeScript source under tsx as for a bundle that contains it.
 */
import type { ChildProcess } from 'node:child_process'
import { bytesOfSize, endWithServer, startBeside } from '@grainline/core/vendor'
import { RunningEvaluation } from './evaluation.js'
import { MemoryGuard } from './memory-guard.js'
import { type Answer, faultOf, type Reply, type Request } from './messages.js'
import type { Bounds } from './options.js'
import { openSandbox, type Sandbox } from './sandbox.js'

const ROLE = 'grainline:evaluator'
/** Threads of libuv besides one for each evaluation. */
const OTHER_THREADS = 2
/** The allocator of Linux keeps freed memory separate for each thread, unless it is configured to share. */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2' }

/** Starts the process. It does not keep the server alive, and ends when the server has. */
export function startEvaluatorProcess(bounds: Bounds): ChildProcess {
  const child = startBeside(import.meta.url, {
    args: [ROLE, JSON.stringify(bounds)],
    env: { ...ALLOCATOR, UV_THREADPOOL_SIZE: String(bounds.concurrency + OTHER_THREADS) },
  })
  child.unref()
  child.channel?.unref()
  return child
}

if (process.argv[2] === ROLE && process.send !== undefined) serve(JSON.parse(process.argv[3] ?? '{}'))

function serve(bounds: Bounds): void {
  const say = (reply: Reply) => void process.send?.(reply)
  const sandbox = openSandbox(bounds)
  // Each evaluation reports the failure itself.
  sandbox.catch(() => undefined)
  // Of a signal to both, the server ends its process itself, when those who wait are answered.
  endWithServer()
  const guard = new MemoryGuard(bytesOfSize(bounds.memoryLimit))
  const evaluations = new Map<number, Evaluating>()
  process.on('message', (request: Request) => {
    const { id } = request
    if (evaluations.size === 0) guard.watch((worst) => (worst ? process.kill(process.pid, 'SIGKILL') : say({ kind: 'grown' })))
    const evaluating = evaluations.get(id) ?? new Evaluating(sandbox, bounds, (answer) => say({ id, ...answer }))
    evaluations.set(id, evaluating)
    if (request.kind === 'stop') evaluating.stop()
    else if (request.kind !== 'end') void evaluating.take(request)
    else
      void evaluating.end().then(() => {
        evaluations.delete(id)
        if (evaluations.size === 0 && guard.rest()) say({ kind: 'worn' })
      })
  })
}

/** The steps of one evaluation, each begun when the last one has ended. */
class Evaluating {
  readonly #running: Promise<RunningEvaluation>
  #last: Promise<unknown>

  constructor(
    sandbox: Promise<Sandbox>,
    bounds: Bounds,
    private readonly tell: (answer: Answer) => void,
  ) {
    this.#running = sandbox.then((opened) => RunningEvaluation.open(opened, bounds))
    this.#last = this.#running.catch(() => undefined)
  }

  take(request: Exclude<Request, { readonly kind: 'stop' | 'end' }>): Promise<unknown> {
    const step = async () => {
      const running = await this.#running
      if (request.kind === 'zone') await running.zone(request.zone)
      else if (request.kind === 'relation') await running.relation(request.name, request.schema)
      else if (request.kind === 'rows') await running.rows(request)
      else await running.run(request.sql, this.tell)
    }
    this.#last = this.#last.then(step).then(
      () => this.tell({ kind: 'done' }),
      (error: unknown) => this.tell({ kind: 'failed', fault: faultOf(error) }),
    )
    return this.#last
  }

  stop(): void {
    void this.#running.then((running) => running.stop()).catch(() => undefined)
  }

  async end(): Promise<void> {
    await this.#last
    await this.#running.then((running) => running.close()).catch(() => undefined)
  }
}
