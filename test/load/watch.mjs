// Loaded into the server under test. Its threads load it too, but only the main one is measured: a thread of a thread ends with its parent,
// and Node aborts if the main thread answers it at that time.
import { isMainThread } from 'node:worker_threads'

if (isMainThread) await import('./watching.mjs')
