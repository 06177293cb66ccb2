export const { performance, PerformanceObserver } = globalThis
/** A browser does not measure it. */
const nothing = { enable: () => true, disable: () => true, reset() {}, percentile: () => 0, min: 0, max: 0, mean: 0, stddev: 0 }
export const monitorEventLoopDelay = () => nothing
export const constants = {}
export default { performance, PerformanceObserver, monitorEventLoopDelay, constants }
