// `node .ci/count.mjs FILE EXIT_CODE`: prints "PASSED FAILED", the assertions of a TAP stream. Only leaves count: a subtest is the
// sum of its own. A run that failed without a failed assertion (a crash, a missing end) counts as one failure.
import { readFileSync } from 'node:fs'

const [file, code] = process.argv.slice(2)
const counts = { passed: 0, failed: 0 }
/** How many results stood at each depth since the last one above it: a result with results below it is no leaf.
 * A buffered subtest stands before its own results, in braces. */
const below = []

for (const line of readFileSync(file, 'utf8').split('\n')) {
  const closing = /^( *)}$/.exec(line)
  if (closing) below.length = closing[1].length / 4 + 1
  const match = /^( *)(not )?ok\b(.*)$/.exec(line)
  if (!match) continue
  const [, indent, not, rest] = match
  const depth = indent.length / 4
  const leaf = !below[depth + 1] && !rest.endsWith('{')
  below.length = depth + 1
  below[depth] = (below[depth] ?? 0) + 1
  if (!leaf || /# (SKIP|TODO)\b/i.test(rest)) continue
  counts[not ? 'failed' : 'passed']++
}

if (code !== '0' && counts.failed === 0) counts.failed = 1
if (counts.passed === 0 && counts.failed === 0) counts.failed = 1
console.log(`${counts.passed} ${counts.failed}`)
