/** How long a process has worked. A busy machine gives it less of each second, so the clock says nothing about its work. */
import { readFileSync } from 'node:fs'

/** The clock of Linux counts hundredths of a second. */
const TICKS = 100
/** The places of two times among the fields that follow the name of the program. The name may contain spaces. */
const [USER, SYSTEM] = [11, 12]

/** The seconds of processor time that a running process has had; undefined if there is no such process, or the system does not tell. */
export function secondsOfProcess(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[USER]) + Number(fields[SYSTEM])) / TICKS
  } catch {
    return undefined
  }
}
