/** The questions that `init` asks about the rows: those that were planted are found, few others are, and what settles them is YAML that loads. */
import t from 'tap'
import { isMap, isSeq, parse, parseDocument } from 'yaml'
import { parseModelSync } from '../../core/src/model/load-model.js'
import { oneIn } from '../support/amount.js'
import { created } from './created.js'
import { expected } from './expected.js'

/** What was planted into the rows, by what its question says. */
const PLANTED: readonly (readonly [string, RegExp])[] = [
  ['test rows', /'Party' count whose 'Name' says that they are tests/],
  ['deleted rows beside their successors', /'Agreement' count that are deleted by their 'Gone'/],
  ['states', /'Bill' count whose 'Phase' is 'draft' or 'void'/],
  ['tax', /Is 'Second Value' or 'First Value' of 'Bill' the amount/],
  ['currencies', /In which currency are the amounts of 'Bill'/],
  ['cents', /Is 'Taken' of 'Fare' in cents/],
  ['totals beside lines', /Is 'First Value' of 'Bill' or 'Each Value' times 'Pieces' of 'Bill Part' the amount/],
  ['snapshots', /Is 'Shelf' the state of each 'Item' on each 'Day'/],
  ['times without a zone', /In which time zone are the times/],
  ['spelling', /values of 'Sort Of' of 'Bill Part' the same/],
  ['a load that was repeated', /repeated values of 'Call Ref' of 'Call'/],
]

t.test('what was planted is asked, and little else', async (t) => {
  const { text } = await created('planted')
  const { decisions } = parse(text) as { decisions: { question: string; answer: string }[] }
  const asked = decisions.map(({ question }) => question)
  const found = PLANTED.filter(([, question]) => asked.some((each) => question.test(each)))
  const others = asked.filter((each) => !PLANTED.some(([, question]) => question.test(each)))
  t.comment(`${found.length} of ${PLANTED.length} found, ${others.length} others: ${others.join(' ')}`)
  t.ok(
    found.length >= 9,
    PLANTED.filter((each) => !found.includes(each))
      .map(([what]) => what)
      .join(),
  )
  t.ok(others.length <= 5, others.join())
  t.ok(
    decisions.every(({ answer }) => answer === ''),
    'each is open',
  )
  for (const { question, settles } of suggestions(text)) {
    const { errors } = parseModelSync({ json: merged(parse(text) as Tree, parse(settles) as Tree) })
    t.same(errors, [], `what would settle "${question}" loads`)
  }
})

for (const name of oneIn(2, Object.keys(expected)))
  t.test(`${name}: few questions, each with rows that show it`, async (t) => {
    const { text } = await created(name)
    const { decisions = [] } = parse(text) as { decisions?: { question: string }[] }
    t.comment(decisions.map(({ question }) => question).join(' '))
    t.ok(decisions.length <= 5)
    for (const { evidence } of suggestions(text)) t.match(evidence, /\d|times within days/)
  })

/** The comment of each question: what the rows show, and YAML. */
function suggestions(
  text: string,
): readonly { readonly question: string; readonly evidence: string; readonly settles: string }[] {
  const list = parseDocument(text).get('decisions')
  return (isSeq(list) ? list.items : []).map((entry, i) => {
    const comment = isMap(entry) ? (entry.commentBefore ?? (i === 0 && isSeq(list) ? list.commentBefore : '')) : ''
    const [evidence = '', settles = ''] = (comment ?? '').split(/^ *for example:\n/m)
    return { question: isMap(entry) ? String(entry.get('question')) : '', evidence, settles: settles.replace(/^ {3}/gm, '') }
  })
}

type Tree = Readonly<Record<string, unknown>>

/** A document with the sections of another one: lists are continued, fields replaced, and properties of data objects added. */
function merged(base: Tree, more: Tree): Tree {
  const sections = Object.entries(more).map(([section, entries]): [string, unknown] => {
    const own = base[section]
    if (Array.isArray(entries)) return [section, [...((own as unknown[] | undefined) ?? []), ...entries]]
    const objects = Object.entries(entries as Tree).map(([name, entry]): [string, unknown] => {
      const known = (own as Tree | undefined)?.[name]
      return [name, section === 'dataObjects' ? { ...(known as Tree), ...(entry as Tree) } : entry]
    })
    return [section, { ...(own as Tree | undefined), ...Object.fromEntries(objects) }]
  })
  return { ...base, ...Object.fromEntries(sections) }
}
