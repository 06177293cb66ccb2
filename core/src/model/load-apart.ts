import { setImmediate } from 'node:timers/promises'
import { type LoadedModel, type LoadRequest, loadInSteps } from './load-model.js'
import { workApart } from './parse/parse-worker.js'

/** How long one slice may block the event loop, in milliseconds. */
const SLICE_MS = 15

/** Loads a model without blocking the event loop; never throws for the contents of a document. */
export async function loadModel(request: LoadRequest): Promise<LoadedModel> {
  const steps = loadInSteps(request)
  let answer: unknown
  let started = performance.now()
  for (;;) {
    const step = answer === undefined ? steps.next() : steps.next(answer)
    answer = undefined
    if (step.done) return step.value
    if (step.value) answer = await workApart(step.value, request.client)
    else if (performance.now() - started < SLICE_MS) continue
    else await setImmediate()
    started = performance.now()
  }
}
