import type { Call } from './tool.js'

/** Says every few seconds that the database is still at work, for clients that give up on what is silent. */
export async function withProgress<T>(work: Promise<T>, call: Call, every = 5000): Promise<T> {
  const began = performance.now()
  const say = () => call.progress(`running for ${Math.round((performance.now() - began) / 1000)} s`)
  const timer = setInterval(say, every)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}
