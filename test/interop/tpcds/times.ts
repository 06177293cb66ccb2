/**
 * The times of docs/tpcds.md, as lines of its table: our statement and the reference, each the best of three runs at scale factor 1.
 * node --conditions=@grainline/source --import tsx test/interop/tpcds/times.ts
 */
import { ask } from '../../support/answers.js'
import { compileFor } from '../../support/compile.js'
import { questions, tpcds } from '../../tpcds/questions.js'
import { openBenchmark } from './benchmark.js'

const RUNS = 3

async function best(run: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < RUNS; i++) {
    const start = performance.now()
    await run()
    least = Math.min(least, performance.now() - start)
  }
  return least
}

const benchmark = await openBenchmark(1)
if (typeof benchmark === 'string') console.error(benchmark)
else {
  for (const question of questions) {
    const ours = await best(() => ask(benchmark.connection, compileFor(question.query, tpcds).sql))
    const theirs = await best(() => ask(benchmark.connection, benchmark.reference(question.number)))
    console.log(
      `| ${question.number} | ${question.question} | ${ours.toFixed(0)} | ${theirs.toFixed(0)} | ${(ours / theirs).toFixed(1)} |`,
    )
  }
  benchmark.close()
}
