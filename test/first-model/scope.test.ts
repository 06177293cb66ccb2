/** The questions that `init` asks about the rows: those that were planted are found, few others are, and what settles them is YAML that loads. */
import t from 'tap'
import { isMap, isSeq, parse, parseDocument } from 'yaml'
import { parseModelSync } from '../../core/src/model/load-model.js'
import { oneIn } from '../support/amount.js'
import { created } from './created.js'
import { expected } from './expected.js'
import { holdsFigures } from './figures.js'
import { planted } from './planted.js'

for (const [name, faults] of Object.entries(planted))
  t.test(`${name}: what was planted is asked, and little else`, async (t) => {
    const { text } = await created(name)
    const { decisions } = parse(text) as { decisions: { question: string; answer: string }[] }
    const asked = decisions.map(({ question }) => question)
    const missed = faults.filter(([, question]) => !asked.some((each) => question.test(each))).map(([what]) => what)
    const others = asked.filter((each) => !faults.some(([, question]) => question.test(each)))
    t.comment(`missed: ${missed.join()}; besides: ${others.join(' ')}`)
    t.ok(missed.length <= 2, missed.join())
    t.ok(others.length <= 5, others.join())
    holdsFigures(t, name, [`${faults.length - missed.length} of ${faults.length}`, `${others.length}`])
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
