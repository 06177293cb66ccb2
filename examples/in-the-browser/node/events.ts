export { default, EventEmitter, once } from '@jspm/core/nodelibs/events'

/** Signals of a browser have as many listeners as they like. */
export const setMaxListeners = (): void => {}
