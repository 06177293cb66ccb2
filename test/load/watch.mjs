// Loaded into the server under test, whose threads load it too: only the main one is watched. A thread of a thread that looks at the main
// one ends with its parent, and Node aborts where the main thread answers it just then.
import { isMainThread } from 'node:worker_threads'

if (isMainThread) await import('./watching.mjs')
