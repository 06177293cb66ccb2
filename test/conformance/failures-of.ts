import type { TestRunner } from '@grainline/core/testing'

/** The names of the tests of a suite that fail. */
export async function failuresOf(suite: (runner: TestRunner) => void): Promise<string[]> {
  const tests: { readonly name: string; readonly body: () => Promise<void> }[] = []
  suite({ test: (name, body) => tests.push({ name, body }) })
  const failed: string[] = []
  for (const { name, body } of tests) await body().catch(() => failed.push(name))
  return failed
}
