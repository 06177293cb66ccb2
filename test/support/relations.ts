/** Relations of plans as tests write and read them. */
import { atEndOf, longerPath, originOf, type Relation, rootPath } from '../../core/src/relation/relation.js'

/** The object at the end of the first joins from one object to the next. */
export const at = (root: string, ...way: readonly string[]): Relation =>
  atEndOf(way.reduce((path, to) => longerPath(path, to, 1), rootPath(root)))

/** The objects on the way to a relation, or the words of its name. */
export function wordsOf(relation: string): string {
  const origin = originOf(relation)
  switch (origin.kind) {
    case 'path':
      return [origin.root, ...origin.steps.map(({ to }) => to)].join('/')
    case 'measured':
      return `${origin.path.root}: ${origin.column}`
    case 'made':
      return `${origin.of}${origin.suffix} in ${origin.within.join()}`
    case 'named':
      return origin.name
  }
}
