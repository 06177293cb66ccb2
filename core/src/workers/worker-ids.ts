/** Random ids that contain the number of their worker and are valid UUIDs of version 4: 12 of their 122 random bits are that number. */
import { randomUUID } from 'node:crypto'

/** Numbers of workers are below this. */
export const MOST_WORKER_NUMBERS = 0x1000

const FROM = 15
const TO = 18
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

export function idOfWorker(worker: number): string {
  const id = randomUUID()
  return id.slice(0, FROM) + worker.toString(16).padStart(TO - FROM, '0') + id.slice(TO)
}

/** The worker of an id; `undefined` for any other text, such as the name of a published model. */
export const workerOfId = (id: string): number | undefined => (ID.test(id) ? Number.parseInt(id.slice(FROM, TO), 16) : undefined)
