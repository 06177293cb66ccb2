import type { Test } from 'tap'

/** Moves the clock of this process forward by milliseconds, instead of waiting; it is reset when the test ends. */
export function movedClock(t: Pick<Test, 'teardown'>): { forward(milliseconds: number): void } {
  const now = Date.now
  let ahead = 0
  Date.now = () => now() + ahead
  t.teardown(() => {
    Date.now = now
  })
  return {
    forward(milliseconds) {
      ahead += milliseconds
    },
  }
}
