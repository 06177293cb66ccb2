/** Nobody listens to these channels in a tab. */
interface Channel {
  readonly hasSubscribers: false
  publish(): void
}

export const channel = (): Channel => ({ hasSubscribers: false, publish() {} })

export const tracingChannel = () => ({
  hasSubscribers: false,
  start: channel(),
  end: channel(),
  asyncStart: channel(),
  asyncEnd: channel(),
  error: channel(),
})
export const subscribe = (): void => {}
export const unsubscribe = (): void => {}
export default { channel, tracingChannel, subscribe, unsubscribe }
