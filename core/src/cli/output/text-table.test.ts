import t from 'tap'
import { markdownTable, textTable } from './text-table.js'

t.test('control characters in a value are shown by their number', async (t) => {
  const evil = 'a\u001b[2J\u001b]0;title\u0007b \u202eexe.txt re\u200bgion'
  for (const table of [textTable, markdownTable]) {
    const said = table([{ name: `Name\u009b1m` }], [[evil]])
    t.notOk(['\u001b', '\u0007', '\u009b', '\u202e', '\u200b'].some((command) => said.includes(command)))
    t.match(said, 'u{1b}')
  }
})

t.test('a cell is one line', async (t) => {
  t.match(textTable([{ name: 'Name' }], [['one \r\n  two\tthree']]), 'one two three')
})
