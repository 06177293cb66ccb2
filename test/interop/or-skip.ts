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
  if (asked.has(t)) throw new Error('Open once in each test, as suitesOn does: a test may end while a second engine starts.')
  asked.add(t)
  const opened = await open()
  if (typeof opened === 'string') return t.plan(0, opened)
  t.teardown(() => close(opened))
  await body(opened)
}

/** Tap ends the tests of a file as soon as none of them runs, even if the file still waits for something. */
const asked = new WeakSet<object>()
