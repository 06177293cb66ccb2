import type { Test } from 'tap'

/** Opens what a test file needs and closes it after the file. Where there is none here, it is a sentence that says why, printed as the file is skipped. */
export async function orSkip<T>(
  t: Pick<Test, 'plan' | 'teardown'>,
  open: () => Promise<T | string>,
  close: (opened: T) => unknown,
  body: (opened: T) => Promise<void> | void,
): Promise<void> {
  const opened = await open()
  if (typeof opened === 'string') return void t.plan(0, opened)
  t.teardown(() => close(opened))
  await body(opened)
}
