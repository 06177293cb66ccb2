import { Worker, type WorkerOptions } from 'node:worker_threads'

/** A thread that runs a module of ours again, by its URL: TypeScript source under tsx, or a bundle that contains it. */
export function ownThread(self: string, options: WorkerOptions): Worker {
  if (!self.endsWith('.ts')) return new Worker(new URL(self), options)
  // The TypeScript loader of the main thread does not apply to other threads; it is registered there first.
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'))
  const start = `import(${loader}).then((tsx) => { tsx.register(); return import(${JSON.stringify(self)}) })`
  return new Worker(start, { ...options, eval: true })
}
