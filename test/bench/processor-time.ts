import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds that a process has spent on processors, all its threads together, as Linux counts them; NaN elsewhere. */
export function processorMs(pid: number): number {
  const tasks = `/proc/${pid}/task`
  try {
    const spent = readdirSync(tasks).map((task) => Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]))
    return spent.reduce((sum, each) => sum + each, 0) / 1e6
  } catch {
    return Number.NaN
  }
}
