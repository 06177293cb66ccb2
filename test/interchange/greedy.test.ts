/** A text that takes too much is no model, and the fault has the place that was being read. */
import t from 'tap'
import { greedy } from './greedy-thread.js'

t.test('a text that needs too much memory, or time on a busy machine, has the place of the item that needs it', async (t) => {
  const lines = ['first', ...Array.from({ length: 2000 }, () => 'a line')]
  const faults = async (text: string) => greedy.read({ text })
  t.match(await faults([...lines, '  more'].join('\n')), {
    faults: [{ message: /more memory|longer than/, place: { line: 2002, column: 3 } }],
  })
  t.match(await faults(lines.join('\n')), { document: { lines: 0 } })
})

t.test('a text that is too long for any importer is refused before anything is made of it', async (t) => {
  t.match(await greedy.read({ text: '\n'.repeat(20_000_001) }), {
    faults: [{ message: 'The text has more than 20,000,000 characters.', hint: /a part/, place: { line: 1, column: 1 } }],
  })
})

t.test('a value that is too large for any memory is no deep nesting', async (t) => {
  t.match(await greedy.read({ text: 'huge' }), { faults: [{ message: /more memory than is allowed/ }] })
})
