/** Browsers do not say how much memory a tab may take; V8 gives it four gigabytes. */
const MOST = 4 * 2 ** 30
export const getHeapStatistics = () => ({ heap_size_limit: MOST, used_heap_size: 0, total_heap_size: 0 })
export const getHeapSpaceStatistics = (): readonly [] => []
export default { getHeapStatistics, getHeapSpaceStatistics }
