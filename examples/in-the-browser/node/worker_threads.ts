/** No thread can be started here: what a server reads in a thread is read in the worker of the tab, which may take its time. */
import { EventEmitter } from 'node:events'

export const isMainThread = true
export const parentPort = null
export const workerData = null
export const threadId = 0

export class Worker extends EventEmitter {
  constructor() {
    super()
    queueMicrotask(() => this.emit('error', new Error('A tab has no threads')))
  }
  ref(): void {}
  unref(): void {}
  postMessage(): void {}
  async terminate(): Promise<void> {}
}
export default { isMainThread, parentPort, workerData, threadId, Worker }
