// The options of V8 for processes that compile thousands of queries: tests, and the long run of the oracle.
import { spawnSync } from 'node:child_process'

/** Compiling makes many short-lived objects: with rare collections of young objects, a fifth less processor time. Programs that tests start are not changed. */
const YOUNG = '--max-semi-space-size=64'
/**
 * In the first seconds of a process V8 optimizes some nine hundred functions, and a quarter of them in vain, because objects of another shape
 * follow: half of the processor time. With a budget fifteen times as large it optimizes a tenth of them. A thousand questions, and also ten
 * thousand, then compile in half the processor time. Node 26 counts calls instead, does not know the option, and needs it less.
 */
const RARELY_OPTIMIZED = '--interrupt-budget=1000000'
const known = new Map()

/** Those that this version of Node knows. */
export function flagsForCompiling(node) {
  const flags = known.get(node) ?? [
    YOUNG,
    ...(spawnSync(node, [RARELY_OPTIMIZED, '--version']).status === 0 ? [RARELY_OPTIMIZED] : []),
  ]
  known.set(node, flags)
  return flags
}
