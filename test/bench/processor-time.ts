import { readdirSync, readFileSync } from 'node:fs'

/** Processor time of a process in milliseconds, over all its threads, as Linux counts it; NaN on other systems. */
export function processorMs(pid: number): number {
  const tasks = `/proc/${pid}/task`
  try {
    const spent = readdirSync(tasks).map((task) => Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]))
    return spent.reduce((sum, each) => sum + each, 0) / 1e6
  } catch {
    return Number.NaN
  }
}
