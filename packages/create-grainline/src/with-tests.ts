interface Described {
  readonly measures?: readonly { readonly name: string }[]
}

/** Row counts, which every model has. */
const COUNT = / count$/i
const MOST = 3

/** The model with a test that its counts can be queried, unless it has tests. */
export function withTests(model: string, { measures = [] }: Described): string {
  const counts = measures
    .map(({ name }) => name)
    .filter((name) => COUNT.test(name))
    .slice(0, MOST)
  if (counts.length === 0 || /^tests:/m.test(model)) return model
  const names = JSON.stringify(counts)
  return `${model.trimEnd()}

tests:
  - name: the tables can be counted, together
    query: { select: { measures: ${names} } }
    expect: { columns: ${names}, row_count: 1 }
`
}
