/** A separate file, which the page starts as a worker. */
import { answering, type ToWorker } from './language-service.js'

const answer = answering()

self.onmessage = ({ data }: MessageEvent<ToWorker>) => self.postMessage(answer(data))
