import t from 'tap'
import { readingOf, sentencesOf, syllablesOf } from '../../scripts/prose.js'

t.test('sentences are those of paragraphs, lists and cells', async (t) => {
  const page = `# A heading that is no sentence

A query has \`dimensions\` and [measures](x.md). It runs when you
press Run.

- A list has points with words.

| Left | The cell has a sentence. |
|---|---|

\`\`\`sql
SELECT this is an example of SQL
\`\`\`
`
  t.same(sentencesOf(page), [
    'A query has code and measures.',
    'It runs when you press Run.',
    'A list has points with words.',
    'The cell has a sentence.',
  ])
})

t.test('the grade follows the published formula', async (t) => {
  t.same(['the', 'table', 'named', 'counted', 'dimension'].map(syllablesOf), [1, 2, 1, 2, 3])
  const { words, wordsPerSentence, grade } = readingOf(['The cat sat on the mat.', 'It ran to the old house.'])
  t.same([words, wordsPerSentence], [12, 6])
  t.equal(grade.toFixed(2), (0.39 * 6 + 11.8 * (12 / 12) - 15.59).toFixed(2))
  t.ok(readingOf(['Administrative responsibilities necessitate considerable organisational coordination.']).grade > 20)
})
