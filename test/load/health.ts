import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { percentile } from '../bench/measurement.js'

/** Requests /health from a server constantly during the work; returns the times of the responses. */
export async function healthDuring(url: string, work: () => Promise<unknown>): Promise<string> {
  const worker = new Worker(new URL('./health.mjs', import.meta.url), { workerData: url })
  const failed = once(worker, 'error').then(([error]) => {
    throw new Error('/health was not answered', { cause: error })
  })
  try {
    await Promise.race([work(), failed])
    worker.postMessage('enough')
    const [taken] = (await once(worker, 'message')) as [number[]]
    const sorted = taken.toSorted((a, b) => a - b)
    const at = (share: number) => `${percentile(sorted, share).toFixed(1)} ms`
    return `/health p50 ${at(0.5)}, p99 ${at(0.99)}, at most ${at(1)} (${sorted.length} times)`
  } finally {
    await worker.terminate()
  }
}
