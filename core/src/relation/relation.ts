/*
 * A relation within a plan is a value: the path of joins to an object, or what a step makes its rows of. Columns refer to it, and rules compare and hash it. So it
 * is one word, the same for equal origins and after every copy, and only this file reads the word. `plan/unique-names.ts` chooses its name in the statement.
 */

declare const isRelation: unique symbol

export type Relation = string & { readonly [isRelation]: true }

/** What a relation is. */
export type Origin = Path | MeasuredValues | MadeRows | NamedRows

/** An object at the end of joins from the rows of an object, or of a pair. */
export interface Path {
  readonly kind: 'path'
  readonly root: string
  readonly steps: readonly Step[]
}

/** To an object by the first, second … of the joins between the two, or back to one on the path of an `exists`. */
export interface Step {
  readonly to: string
  readonly by: number | 'back'
}

/** The values of a measure that is a column of the object at the end of a path. */
export interface MeasuredValues {
  readonly kind: 'measured'
  readonly path: Path
  readonly column: string
}

/** Rows that a step makes, named after `of`. `within` distinguishes those of one name: the rows to which they belong, and a number among several. */
export interface MadeRows {
  readonly kind: 'made'
  readonly of: string
  readonly suffix: string
  readonly within: readonly string[]
}

/** Rows with a name, which is the only one where it is read. */
export interface NamedRows {
  readonly kind: 'named'
  readonly name: string
}

export const rootPath = (root: string): Path => ({ kind: 'path', root, steps: [] })

export const longerPath = ({ kind, root, steps }: Path, to: string, by: Step['by']): Path => ({
  kind,
  root,
  steps: [...steps, { to, by }],
})

export const atEndOf = (path: Path): Relation => wordOf(plainPath(path))

export const measuredAt = (path: Path, column: string): Relation => wordOf({ kind: 'measured', path: plainPath(path), column })

/** The object and the column whose values a relation has. */
export function measuredColumn(relation: string): string {
  const origin = originOf(relation)
  return origin.kind === 'measured' ? `${origin.path.steps.at(-1)?.to ?? origin.path.root}.${origin.column}` : relation
}

export const madeOf = (of: string, suffix: string, within: readonly string[] = []): Relation =>
  wordOf({ kind: 'made', of, suffix, within })

/** A name that a step chooses, or that of a relation in the statement. */
export const named = (name: string): Relation => wordOf({ kind: 'named', name })

export function originOf(relation: string): Origin {
  if (!relation.startsWith(FIRST)) return { kind: 'named', name: relation }
  const known = read.get(relation)
  if (known) return known
  const origin: Origin = JSON.parse(relation)
  if (read.size >= MOST_READ) read.clear()
  read.set(relation, origin)
  return origin
}

/** What was read of words. The same questions ask for the same ones again and again. */
const read = new Map<string, Origin>()
const MOST_READ = 1000

/** The steps of a path after those of another; `undefined` if it does not begin with them. */
export function stepsAfter({ root, steps }: Path, start: Path): readonly Step[] | undefined {
  const isPart = root === start.root && start.steps.every(({ to, by }, i) => steps[i]?.to === to && steps[i]?.by === by)
  return isPart ? steps.slice(start.steps.length) : undefined
}

/** The relation at the same place among the rows of another path, if it is one of the rows of `from`; otherwise itself. */
export function movedTo(relation: string, { from, to }: { readonly from: string; readonly to: string }): string {
  const [origin, start, end] = [originOf(relation), originOf(from), originOf(to)]
  if (start.kind !== 'path' || end.kind !== 'path') return relation
  switch (origin.kind) {
    case 'path':
      return atEndOf(movedPath(origin, start, end))
    case 'measured':
      return measuredAt(movedPath(origin.path, start, end), origin.column)
    case 'made':
      return madeOf(
        origin.of,
        origin.suffix,
        isRoot(start, origin.within[0]) && isRoot(end) ? [end.root, ...origin.within.slice(1)] : origin.within,
      )
    case 'named':
      return relation
  }
}

function movedPath(path: Path, from: Path, to: Path): Path {
  const steps = stepsAfter(path, from)
  return steps ? { ...to, steps: [...to.steps, ...steps] } : path
}

const isRoot = ({ root, steps }: Path, node = root): boolean => steps.length === 0 && root === node

/** In the order in which a word has them, so that equal paths have equal words. */
const plainPath = ({ kind, root, steps }: Path): Path => ({ kind, root, steps: steps.map(({ to, by }) => ({ to, by })) })

/** A name is its own word: no name begins like the others. */
const wordOf = (origin: Origin): Relation => (origin.kind === 'named' ? origin.name : JSON.stringify(origin)) as Relation

const FIRST = '{'
