/** A tab does not follow what belongs to which request: a resource only calls. */
export class AsyncResource {
  runInAsyncScope<T>(run: (...values: never[]) => T, self?: unknown, ...values: never[]): T {
    return run.apply(self, values)
  }
  bind<T>(run: T): T {
    return run
  }
  emitDestroy(): this {
    return this
  }
}
export default { AsyncResource }
