/** Timers as Node has them: objects that may be told not to keep the process alive, of which a tab knows nothing. */
class Timer {
  readonly #number: number
  constructor(number: number) {
    this.#number = number
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
  hasRef(): boolean {
    return true
  }
  [Symbol.toPrimitive](): number {
    return this.#number
  }
}

type Run = (...values: never[]) => void

export const setTimeout = (run: Run, ms?: number, ...values: never[]): Timer =>
  new Timer(globalThis.setTimeout(run as () => void, ms, ...values) as unknown as number)
export const setInterval = (run: Run, ms?: number, ...values: never[]): Timer =>
  new Timer(globalThis.setInterval(run as () => void, ms, ...values) as unknown as number)

type Given = Timer | number | undefined
const numberOf = (timer: Given): number | undefined => (timer === undefined || timer === null ? undefined : Number(timer))
export const clearTimeout = (timer: Given): void => globalThis.clearTimeout(numberOf(timer))
export const clearInterval = (timer: Given): void => globalThis.clearInterval(numberOf(timer))

/** A message to itself: browsers delay nested timers to four milliseconds. */
const { port1, port2 } = new MessageChannel()
const next: (() => void)[] = []
port1.onmessage = () => next.shift()?.()

export function setImmediate(run: Run, ...values: never[]): Timer & { cancelled: boolean } {
  const immediate = Object.assign(new Timer(0), { cancelled: false })
  next.push(() => {
    if (!immediate.cancelled) run(...values)
  })
  port2.postMessage(undefined)
  return immediate
}
export const clearImmediate = (immediate: { cancelled: boolean } | undefined): void => {
  if (immediate !== undefined) immediate.cancelled = true
}

export default { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate }
