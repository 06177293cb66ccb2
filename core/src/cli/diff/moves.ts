import { type Answer, ApiError, type Scalar } from '@grainline/client'
import type { ModelDiff } from '../../discovery/model-diff.js'
import { both, firstOf } from '../../invariant.js'
import { jsonOf } from '../command.js'
import type { AnyQuery } from '../question/read-question.js'
import { fieldsOf, spelled } from '../question/spelling.js'
import type { Asked } from '../target/with-target.js'

/** A number that differs in the second model. */
export interface Move {
  /** The measure, or the example. */
  readonly name: string
  /** The group, for example `Airline = Delta`; absent for the total. */
  readonly group?: string
  readonly before: Scalar
  readonly after: Scalar
  /** Why one side has no number. */
  readonly refused?: string
}

/** Differing numbers of one query; at most so many are listed, the rest is counted. */
export interface Moves {
  readonly compared: number
  readonly moved: readonly Move[]
}

/** Values of one query. */
const MOST_LISTED = 20

/** Fields of one query. If one of them is refused, the next query has fewer. */
const MOST_TOGETHER = 16

/** Queries both models for every number that the changes affect: each measure in total and by the dimensions, and each example. */
export async function movesOf(
  { touched, changes }: ModelDiff,
  before: Asked,
  after: Asked,
  by: readonly string[],
): Promise<Moves> {
  const fieldsIn = async ({ client, signal }: Asked) => fieldsOf(await client.schema({ signal }))
  const [fields, there] = await Promise.all([fieldsIn(before), fieldsIn(after)])
  const renamed = new Map(changes.flatMap(({ was, name }) => (was === undefined ? [] : [[was, name] as const])))
  const [known, names] = both([fields, there], (list) => new Set(list.map(({ name }) => name)))
  const pairs = [...touched.measures, ...touched.metrics]
    .map((name): Pair => ({ name, now: renamed.get(name) ?? name }))
    .filter(({ name, now }) => known.has(name) && names.has(now))
  const groupings = [[], ...by.map((name) => [spelled(name, fields)])]
  const moved: Move[] = []
  for (const groups of groupings)
    for (let from = 0; from < pairs.length; from += MOST_TOGETHER)
      moved.push(...(await movesOfFields(pairs.slice(from, from + MOST_TOGETHER), groups, before, after)))
  let compared = pairs.length * groupings.length
  for (const example of touched.examples) {
    const [a, b] = [await exampleOf(before, example), await exampleOf(after, example)]
    if (a === undefined || b === undefined) continue
    compared++
    const groups = (a.select.dimensions ?? []).map((each) => (typeof each === 'string' ? each : each.as))
    const outcomes = [await answerOf(before, a), await answerOf(after, b)] as const
    const found =
      refusedMove(example, ...outcomes) ?? compare(outcomes[0] as Answer<Row>, outcomes[1] as Answer<Row>, groups, renamed)
    moved.push(
      ...found.map((move) => ({
        ...move,
        name: move.name === example ? `example ${example}` : `example ${example}: ${move.name}`,
      })),
    )
  }
  return { compared, moved: moved.sort((a, b) => order(a.name, b.name)) }
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** A field, and its name in the second model. */
interface Pair {
  readonly name: string
  readonly now: string
}

async function movesOfFields(
  pairs: readonly Pair[],
  groups: readonly string[],
  before: Asked,
  after: Asked,
): Promise<readonly Move[]> {
  const ask = (measures: readonly string[]): AnyQuery => ({ select: { dimensions: groups, measures }, limit: 10_000 })
  const a = await answerOf(before, ask(pairs.map(({ name }) => name)))
  const b = await answerOf(after, ask(pairs.map(({ now }) => now)))
  if (!('refused' in a) && !('refused' in b)) return compare(a, b, groups, new Map(pairs.map(({ name, now }) => [name, now])))
  if (pairs.length === 1) return refusedMove(firstOf(pairs).name, a, b) ?? []
  const half = Math.ceil(pairs.length / 2)
  // One after the other: all of them at once would be more statements than a database has connections.
  const first = await movesOfFields(pairs.slice(0, half), groups, before, after)
  return [...first, ...(await movesOfFields(pairs.slice(half), groups, before, after))]
}

type Row = Readonly<Record<string, Scalar>>
type Outcome = Answer<Row> | { readonly refused: string }

async function answerOf({ client, signal }: Asked, query: AnyQuery): Promise<Outcome> {
  try {
    return (await client.query(query, { signal })) as Answer<Row>
  } catch (error) {
    if (error instanceof ApiError) return { refused: `${error.code}: ${error.message}` }
    throw error
  }
}

async function exampleOf({ client, target, signal }: Asked, name: string): Promise<AnyQuery | undefined> {
  try {
    const path = `/v1/examples/${encodeURIComponent(name)}`
    const answer = await client.send({ method: 'GET', path, url: { ...target } }, { signal })
    return (await jsonOf<{ readonly query: AnyQuery }>(answer)).query
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

/** A query that was refused before and is refused now did not change. */
function refusedMove(name: string, before: Outcome, after: Outcome): readonly Move[] | undefined {
  const refused = [before, after].flatMap((outcome, i) =>
    'refused' in outcome ? [`${i === 0 ? 'before' : 'after'}: ${outcome.refused}`] : [],
  )
  if (refused.length === 0) return undefined
  return refused.length === 2 ? [] : [{ name, before: null, after: null, refused: firstOf(refused) }]
}

/** The numbers of two answers, by group. `renamed` maps names of the first model to names of the second. */
function compare(
  before: Answer<Row>,
  after: Answer<Row>,
  groups: readonly string[],
  renamed: ReadonlyMap<string, string>,
): readonly Move[] {
  const numbers = before.columns.map(({ name }) => name).filter((name) => !groups.includes(name))
  const [a, b] = [rowsByGroup(before, groups), rowsByGroup(after, groups)]
  const keys = [...new Set([...a.keys(), ...b.keys()])]
  return numbers.flatMap((name) => {
    const now = renamed.get(name) ?? name
    const moved = keys.filter((key) => !same(a.get(key)?.[name], b.get(key)?.[now]))
    const listed = moved.slice(0, MOST_LISTED).map((key) => ({
      name,
      ...(key !== '' && { group: key }),
      before: a.get(key)?.[name] ?? null,
      after: b.get(key)?.[now] ?? null,
    }))
    const more = moved.length - listed.length
    return more > 0 ? [...listed, { name, group: `… ${more} more groups`, before: null, after: null }] : listed
  })
}

const rowsByGroup = ({ rows }: Answer<Row>, groups: readonly string[]): ReadonlyMap<string, Row> =>
  new Map(
    rows.map((row) => [groups.map((name) => `${name} = ${row[name] === null ? 'NULL' : String(row[name])}`).join(', '), row]),
  )

/** Floats may be summed in any order. */
function same(a: Scalar | undefined, b: Scalar | undefined): boolean {
  if (typeof a !== 'number' || typeof b !== 'number') return (a ?? null) === (b ?? null)
  return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b))
}
