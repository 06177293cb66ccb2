/** Takes all steps of work at once, which others take one by one so that something else may run in between. Returns what the work returns. */
export function finished<T>(steps: Iterator<unknown, T, undefined>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
