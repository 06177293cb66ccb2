import t from 'tap'
import { formatParts, formattedMoment } from './moment-format.js'

t.test('the timestamp that a formatted text denotes', async (t) => {
  const cases: readonly (readonly [text: string, format: string, wanted: string | undefined])[] = [
    ['2024-02-29', 'YYYY-MM-DD', '2024-02-29 00:00:00'],
    ['2024', 'YYYY', '2024-01-01 00:00:00'],
    ['29.2.2024 7:05', 'DD.MM.YYYY HH24:MI', '2024-02-29 07:05:00'],
    ['20240229T235959', 'YYYYMMDD"T"HH24MISS', '2024-02-29 23:59:59'],
    ['2024-02-29 01:02:03.5', 'YYYY-MM-DD HH24:MI:SS.MS', '2024-02-29 01:02:03.5'],
    ['2024-02-29 01:02:03.000', 'YYYY-MM-DD HH24:MI:SS.MS', '2024-02-29 01:02:03'],
    // No day of the calendar, another form, and a format with a part that is not known.
    ['2023-02-29', 'YYYY-MM-DD', undefined],
    ['2024/02/29', 'YYYY-MM-DD', undefined],
    ['2024-02-29', 'YYYY-Mon-DD', undefined],
  ]
  for (const [text, format, wanted] of cases) t.equal(formattedMoment(text, format), wanted, `${text} as ${format}`)
})

t.test('quoted text and punctuation are literal, and unknown words are not a format', async (t) => {
  t.same(formatParts('YYYY"Q"Q'), [
    { unit: 'year', digits: 4, pattern: 'YYYY' },
    { text: 'Q' },
    { unit: 'quarter', digits: 1, pattern: 'Q' },
  ])
  t.same(formatParts(''), [])
  t.equal(formatParts('YYYY Day'), undefined)
})
