/** How long a thread has worked. A busy machine gives it less of each second, so the clock says nothing about its work. */
import { readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

/** In the thread: the number by which the operating system knows it; 0 where there is none. */
export function ownThreadNumber(): number {
  try {
    return Number(basename(readlinkSync('/proc/thread-self'))) || 0
  } catch {
    return 0
  }
}

/** The clock of Linux counts hundredths of a second. */
const TICKS = 100
/** The places of two times among the fields behind the name of the thread. The name itself may contain spaces. */
const [USER, SYSTEM] = [11, 12]

/** The seconds of processor time that a thread of this process has had; undefined if there is no such thread, or the system does not tell. */
export function secondsOfThread(number: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/self/task/${number}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[USER]) + Number(fields[SYSTEM])) / TICKS
  } catch {
    return undefined
  }
}

/** The seconds of processor time of the whole process. */
export function secondsOfProcess(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}
