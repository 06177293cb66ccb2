import type { SemanticModel } from '@grainline/core'
import type { Report } from './report.js'

/** Reports objects whose rows lead to others in another way in the text, because the join between the two is left out. */
export function reportDetours({ dataObjects }: SemanticModel, report: Report): void {
  const written = new Set(report.written.map((path) => JSON.stringify(path)))
  const isWritten = (name: string, at: number) => written.has(JSON.stringify(['dataObjects', name, 'joins', at]))
  const nextOf = (name: string): readonly string[] =>
    (dataObjects.get(name)?.joins ?? []).flatMap(({ to, secondary }, at) => (!secondary && isWritten(name, at) ? [to] : []))
  for (const [name, { joins }] of dataObjects) {
    const left = joins.filter(({ secondary }, at) => !secondary && !isWritten(name, at))
    if (left.length === 0 || !written.has(JSON.stringify(['dataObjects', name]))) continue
    const reached = new Set(nextOf(name))
    for (const each of reached) for (const next of nextOf(each)) reached.add(next)
    for (const { to } of left)
      if (reached.has(to))
        report.lose(
          'rewritten',
          ['dataObjects', name],
          `Rows of '${name}' lead to '${to}' by way of other tables there, because their own join is left out: numbers by its fields are other ones.`,
        )
  }
}
