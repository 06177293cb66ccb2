/** Questions about rows that may not count: tests, deleted rows, and states. */
import { INT } from '../../model/data-type.js'
import type { ColumnRef, Expr } from '../../model/expression/ast.js'
import { anyOf, binary, call, integer, isNotNull, literal, text } from '../../resolve/expressions.js'
import { numberAt } from '../run-statement.js'
import { aggregate, item, sumWhere } from '../sql-parts.js'
import type { VerifyContext } from '../verify-context.js'
import { askGroups, askOverGroups } from './ask-rows.js'
import { type ColumnFacts, type ObjectFacts, refOf } from './object-facts.js'
import type { ScopeQuestion } from './scope-question.js'
import { counted, shareOf } from './shares.js'

/** A text with more values is no state and no code. */
const MOST_VALUES = 40
const TEST_WORDS = /\b(tests?|testing|dummy|demo|fake|internal|sandbox|qa|do not use|asdf|lorem)\b/i
const TEST_PATTERNS = [
  'test %',
  '% test',
  '% test %',
  'test-%',
  'test\\_%',
  'test@%',
  'test.%@%',
  'test+%@%',
  '%+test%@%',
  '%.test@%',
  '%@test.%',
  '%@example.%',
  'dummy%',
  'zz%test%',
  '% (test)%',
  'qa %',
  'internal %',
]
/** A larger share is the purpose of the table. */
const MOST_TESTS = 0.25
/** Marked rows as a part of all: more of them are no exceptions. */
const MOST_MARKED = 0.3
/** Words that begin a state, such as *cancelled by customer*. */
const STATES =
  /^((void(ed)?|draft|cancel(l?ed)?|refund(ed)?|charge.?back|credited|written.?off|uncollectible|disputed|reject(ed)?|declined|failed|error|expired|abandoned|reversed|returned|deleted|archived|inactive|on.?hold|quote|no.?show|storno|storniert|entwurf|annul[eé]e?|annulad[oa])(?![\p{L}\d])|x$)/iu
const GONE = /delet|remov|archiv|purg|trash|retire|inactive|disabled|\bvoid|tombstone/i
const TESTING = /\btest|internal|dummy|sandbox|demo\b/i

export async function rowQuestions(facts: ObjectFacts, context: VerifyContext): Promise<readonly ScopeQuestion[]> {
  if (facts.rows === 0) return []
  const found: ScopeQuestion[] = []
  for (const column of facts.columns) found.push(...(await questionsOf(facts, column, context)))
  // Names and addresses of the same tests are one question.
  return found.filter(({ kind }, at) => kind !== 'test-rows' || at === found.findIndex((each) => each.kind === kind))
}

async function questionsOf(facts: ObjectFacts, column: ColumnFacts, context: VerifyContext): Promise<readonly ScopeQuestion[]> {
  const { type, name, distinct } = column
  if (isFlag(column)) return flagQuestion(facts, column, context)
  if (type.kind === 'string' && distinct <= MOST_VALUES)
    return valueQuestions(facts, column, await valuesOf(facts, name, context), context)
  if (type.kind === 'string') return textQuestion(facts, column, context)
  const isTime = type.kind === 'timestamp' || type.kind === 'timestamp_tz' || type.kind === 'date'
  return isTime && column.present > 0 && column.present < facts.rows ? deletionQuestion(facts, column, context) : []
}

/** A boolean, or a number that is 0 or 1. */
const isFlag = ({ type, min, max, distinct }: ColumnFacts): boolean =>
  type.kind === 'boolean' || (type.kind === 'int' && distinct === 2 && Number(min) === 0 && Number(max) === 1)

async function flagQuestion(
  facts: ObjectFacts,
  { name, type }: ColumnFacts,
  context: VerifyContext,
): Promise<readonly ScopeQuestion[]> {
  const ref = refOf(facts.object.name, name)
  const [yes, no] = type.kind === 'boolean' ? [true, false] : [1, 0]
  const is = (value: boolean | number) => binary<ColumnRef>('=', ref, literal(value, type))
  if (TESTING.test(name))
    return testQuestion(
      facts,
      name,
      is(yes),
      `{ dataObject: ${facts.object.name}, column: ${name}, operator: equals, value: ${no} }`,
      context,
    )
  const isLive = /^(is )?active$|^enabled$|^current$|^valid$/i.test(name)
  const filter = `{ dataObject: ${facts.object.name}, column: ${name}, operator: equals, value: ${isLive ? yes : no} }`
  if (isLive || GONE.test(name)) return deleted(facts, name, isLive ? is(no) : is(yes), filter, context)
  const twins = await twinsOf(facts, { column: name, marks: is(yes) }, context)
  return twins.all ? deleted(facts, name, is(yes), filter, context, twins.says) : []
}

async function testQuestion(
  facts: ObjectFacts,
  column: string,
  condition: Expr<ColumnRef>,
  filter: string,
  context: VerifyContext,
): Promise<readonly ScopeQuestion[]> {
  const share = await shareOf(facts, condition, context)
  if (share.rows === 0 || share.rows > facts.rows * MOST_TESTS) return []
  return [
    {
      kind: 'test-rows',
      question: `Do rows of '${facts.object.name}' count whose '${column}' says that they are tests?`,
      path: `dataObjects.${facts.object.name}`,
      evidence: share.says,
      settle: `filters:\n  - ${filter}`,
    },
  ]
}

async function deleted(
  facts: ObjectFacts,
  column: string,
  condition: Expr<ColumnRef>,
  filter: string,
  context: VerifyContext,
  more = '',
): Promise<readonly ScopeQuestion[]> {
  const share = await shareOf(facts, condition, context)
  if (share.rows === 0) return []
  return [
    {
      kind: 'deleted-rows',
      question: `Do rows of '${facts.object.name}' count that are deleted by their '${column}'?`,
      path: `dataObjects.${facts.object.name}`,
      evidence: `${share.says}${more}`,
      settle: `filters:\n  - ${filter}`,
    },
  ]
}

/** A time that few rows have marks their end, if its name says so, or if another row repeats most of them. */
async function deletionQuestion(
  facts: ObjectFacts,
  column: ColumnFacts,
  context: VerifyContext,
): Promise<readonly ScopeQuestion[]> {
  const isNamed = GONE.test(column.name)
  const marks = isNotNull(refOf(facts.object.name, column.name))
  const twins = await twinsOf(facts, { column: column.name, marks }, context)
  if (!isNamed && !twins.all) return []
  const filter = `{ dataObject: ${facts.object.name}, column: ${column.name}, operator: is_null }`
  return deleted(facts, column.name, marks, filter, context, twins.says)
}

interface Marked {
  readonly column: string
  /** Holds for the rows that may not count. */
  readonly marks: Expr<ColumnRef>
}

/** Whether rows that are marked are exceptions, most of which an unmarked row repeats. */
async function twinsOf(facts: ObjectFacts, marked: Marked, context: VerifyContext) {
  const { rows } = await shareOf(facts, marked.marks, context)
  const twins = rows > 0 && rows < facts.rows * MOST_MARKED ? await mostTwins(facts, marked, context) : 0
  return {
    all: twins >= Math.max(3, rows * 0.5),
    says: twins === 0 ? '' : `; ${counted(twins)} of them are beside a row with the same value of another column`,
  }
}

/** Values of a column that is nearly a key, which a marked row and an unmarked one share. */
async function mostTwins(
  { object, rows, columns }: ObjectFacts,
  { column, marks }: Marked,
  context: VerifyContext,
): Promise<number> {
  const mark: Expr<ColumnRef> = { kind: 'case', branches: [{ when: marks, then: integer(1) }], otherwise: undefined }
  const nearly = columns.filter(
    ({ name, distinct, present }) => name !== column && !object.key.includes(name) && distinct < present && distinct > rows * 0.6,
  )
  let most = 0
  for (const { name, type } of nearly.filter(({ type }) => type.kind === 'string' || type.kind === 'int')) {
    const row = await askOverGroups(
      { object: object.name, wanted: { key: refOf(object.name, name), mark }, keys: ['key'] },
      {
        inner: (reads) => [
          item('n', aggregate('count', [], INT), INT),
          item('marked', aggregate('count', [reads['mark'] ?? integer(0)], INT), INT),
        ],
        outer: ({ n, marked: m, key }) => [
          item(
            'twins',
            sumWhere(integer(1), [
              binary('>', m ?? integer(0), integer(0)),
              binary('>', n ?? integer(0), m ?? integer(0)),
              isNotNull(key ?? text('')),
            ]),
            INT,
          ),
        ],
      },
      context,
    )
    most = Math.max(most, numberAt(row, 'twins'))
    if (type.kind === 'string' && most > 0) break
  }
  return most
}

async function valueQuestions(
  facts: ObjectFacts,
  { name }: ColumnFacts,
  values: readonly string[],
  context: VerifyContext,
): Promise<readonly ScopeQuestion[]> {
  const ref = refOf(facts.object.name, name)
  const among = (chosen: readonly string[]): Expr<ColumnRef> => ({ kind: 'in', operand: ref, list: chosen.map(text) })
  const without = (chosen: readonly string[]) =>
    `{ dataObject: ${facts.object.name}, column: ${name}, operator: not_in, values: [${chosen.map((value) => JSON.stringify(value)).join(', ')}] }`
  const tests = values.filter((value) => TEST_WORDS.test(value))
  if (tests.length > 0 && tests.length < values.length) return testQuestion(facts, name, among(tests), without(tests), context)
  const states = values.filter((value) => STATES.test(value.trim()))
  if (states.length === 0 || states.length === values.length) return []
  const share = await shareOf(facts, among(states), context)
  return [
    {
      kind: 'states',
      question: `Do rows of '${facts.object.name}' count whose '${name}' is ${states
        .toSorted()
        .map((value) => `'${value}'`)
        .join(' or ')}?`,
      path: `dataObjects.${facts.object.name}`,
      evidence: `${share.says}; values: ${values.slice(0, 12).join(', ')}`,
      settle: `filters:\n  - ${without(states)}`,
    },
  ]
}

/** A text of many values: names and addresses that say test. */
async function textQuestion(
  facts: ObjectFacts,
  { name }: ColumnFacts,
  context: VerifyContext,
): Promise<readonly ScopeQuestion[]> {
  const lower = call<ColumnRef>('lower', refOf(facts.object.name, name))
  const isTest = anyOf<ColumnRef>([
    binary('=', lower, text('test')),
    ...TEST_PATTERNS.map((pattern): Expr<ColumnRef> => ({ kind: 'like', operand: lower, pattern: text(pattern) })),
  ])
  const filter = `{ dataObject: ${facts.object.name}, column: ${name}, operator: not_like, value: '%test%' }`
  // One title with that word is a title.
  const found = await testQuestion(facts, name, isTest, filter, context)
  return found.filter(({ evidence }) => !evidence.startsWith('1 of '))
}

export async function valuesOf({ object }: ObjectFacts, name: string, context: VerifyContext): Promise<readonly string[]> {
  const rows = await askGroups(
    { object: object.name, wanted: { value: refOf(object.name, name) }, keys: ['value'], limit: MOST_VALUES + 1 },
    () => [item('n', aggregate('count', [], INT), INT)],
    context,
  )
  return rows.flatMap((row) => (row.get('value') == null ? [] : [String(row.get('value'))]))
}
