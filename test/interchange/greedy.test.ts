/** A text that takes too much is no model, and the fault has the place that was being read. */
import t from 'tap'
import { secondsOfProcess } from '../../core/src/model/process-seconds.js'
import { greedy } from './greedy-process.js'
import { working } from './working-process.js'

t.setTimeout(300_000)

// V8 ends a whole process that asks for a value which is larger than the rest of its memory, also if one of its threads asks.
t.test('a text that needs too much memory, or work, has the place of the item that needs it', async (t) => {
  const lines = ['first', ...Array.from({ length: 2000 }, () => 'a line')]
  const faults = async (text: string) => greedy.read({ text })
  t.match(await faults([...lines, '  more'].join('\n')), {
    faults: [{ message: /more memory|of the processor/, place: { line: 2002, column: 3 } }],
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

t.test('a text is refused for the work that it takes, and not for the time that passes', async (t) => {
  const lines = Array.from({ length: 2000 }, () => 'a line')
  const [waited, worked] = await Promise.all(
    ['wait', 'work'].map((word) => working.read({ text: [...lines, ` ${word}`, ...lines].join('\n') })),
  )
  t.match(waited, { document: { lines: 4001 } }, 'it waits for longer than the limit')
  t.match(worked, { faults: [{ message: /more than 2 seconds of the processor/, place: { line: 2001, column: 2 } }] })
})

t.test('the work of a process is known where the system tells it', (t) => {
  if (process.platform === 'linux') t.ok((secondsOfProcess(process.pid) ?? 0) > 0)
  t.equal(secondsOfProcess(0), undefined, 'no process')
  t.end()
})
