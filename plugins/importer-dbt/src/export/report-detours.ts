import type { SemanticModel } from '@grainline/core'
import type { Report } from './report.js'

/** Reports objects whose rows lead to others in another way in the text, because the join between the two is left out. */
export function reportDetours({ dataObjects }: SemanticModel, report: Report): void {
  const objectsAndJoins = report.written.filter(([section, , part]) => section === 'dataObjects' && (!part || part === 'joins'))
  const written = new Set(objectsAndJoins.map((path) => JSON.stringify(path)))
  const isWritten = (name: string, at: number) => written.has(JSON.stringify(['dataObjects', name, 'joins', at]))
  const next = new Map<string, string[]>([...dataObjects.keys()].map((name) => [name, []]))
  for (const [name, { joins }] of dataObjects)
    for (const [at, { to, secondary }] of joins.entries()) {
      if (secondary || !isWritten(name, at)) continue
      next.get(name)?.push(to)
      // Groups are also reached against a join: through rows that lead to both tables.
      next.get(to)?.push(name)
    }
  for (const [name, { joins }] of dataObjects) {
    const left = joins.filter(({ secondary }, at) => !secondary && !isWritten(name, at))
    if (left.length === 0 || !written.has(JSON.stringify(['dataObjects', name]))) continue
    const reached = new Set(next.get(name))
    for (const each of reached) for (const other of next.get(each) ?? []) reached.add(other)
    for (const { to } of left)
      if (reached.has(to))
        report.lose(
          'rewritten',
          ['dataObjects', name],
          `'${name}' and '${to}' are connected by way of other tables there, because their own join is left out: numbers of one by fields of the other are other ones.`,
        )
  }
}
