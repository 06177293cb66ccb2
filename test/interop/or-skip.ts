import type { Test } from 'tap'

/**
 * Opens what a test file needs and closes it after the file. If it is not available, the result of `open` is a sentence with the reason,
 * which is printed while the file is skipped.
 */
export async function orSkip<T>(
  t: Pick<Test, 'plan' | 'teardown'>,
  open: () => Promise<T | string>,
  close: (opened: T) => unknown,
  body: (opened: T) => Promise<void> | void,
): Promise<void> {
  const opened = await open()
  if (typeof opened === 'string') return skipOnce(t, opened)
  t.teardown(() => close(opened))
  await body(opened)
}

/** A file that opens the engine twice is skipped by the first failure. */
function skipOnce(t: Pick<Test, 'plan'>, why: string): void {
  if (skipped.has(t)) return
  skipped.add(t)
  t.plan(0, why)
}

const skipped = new WeakSet<object>()
