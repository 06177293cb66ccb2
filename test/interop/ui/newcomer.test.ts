/** The path of a new user, from an empty folder to a dashboard that others see: every answer is the one of SQL that was written by hand. */
import t from 'tap'
import { orSkip } from '../or-skip.js'
import { openBrowser } from './browser.js'
import { type Answered, TEN, tableOf } from './newcomer.js'
import { walk } from './newcomer-path.js'
import { ownDatabase } from './own-database.js'

/** A cell of the page and a value of SQL as one text. */
const plain = (text: string): string => {
  const digits = text.replaceAll(',', '')
  return digits !== '' && Number.isFinite(Number(digits)) ? String(Number(digits)) : text
}
const lineOf = (cells: readonly string[]): string => cells.map(plain).join(' | ')

await orSkip(
  t,
  openBrowser,
  (browser) => browser.close(),
  async (browser) => {
    await t.test('ten questions to a database of one’s own, and a dashboard that is shared by link and by file', async (t) => {
      const folder = t.testdir({})
      const { file, answers: truths } = await ownDatabase(
        folder,
        TEN.map(({ sql }) => sql),
      )
      const { answers, tiles, steps, faults } = await walk(browser, folder, file)
      t.equal(answers.length, 10)
      for (const [n, { question, answered }] of answers.entries())
        t.same(wrong(answered, truths[n]!, question.fields.length), [], question.asks)
      t.match(tiles.own.join(' | '), /^Payment Amount \| 67,416\.51 \| Payment Amount by Payment Month/)
      t.same(tiles.byLink, tiles.own, 'another person sees the same by the link')
      t.same(tiles.byFile, tiles.own, 'and by the file')
      t.equal(steps.length, 23)
      t.match(tableOf(steps), /\*\*Together: [\d.]+ minutes\*\*/)
      t.same(faults, [])
    })
  },
)

/** The rows on the screen that SQL does not have, and the number of rows if it is another one. */
function wrong({ rows, count }: Answered, truth: readonly (readonly string[])[], width: number): readonly string[] {
  const right = new Set(truth.map(lineOf))
  const others = rows.map((row) => lineOf(row.slice(0, width))).filter((line) => !right.has(line))
  return [...others, ...(count === truth.length && rows.length > 0 ? [] : [`${count} rows, ${rows.length} of them read`])]
}
