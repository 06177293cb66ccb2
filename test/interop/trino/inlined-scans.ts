/**
 * How many tables a statement scans where each WITH is written out wherever it is read, as Trino does
 * (https://trino.io/docs/current/sql/select.html#with-clause): of shown totals over running values, hundreds, which take minutes to plan.
 */
export function inlinedScans(sql: string): number {
  const scans = new Map<string, number>()
  const of = (text: string): number =>
    [...text.matchAll(/\b(?:FROM|JOIN) "([^"]+)"/g)].reduce((sum, [, name = '']) => sum + (scans.get(name) ?? 1), 0)
  let rest = sql
  for (let named = NAMED.exec(rest); named !== null; named = NAMED.exec(rest)) {
    const start = named.index + named[0].length
    const end = endOf(rest, start)
    scans.set(named[1] ?? '', of(rest.slice(start, end)))
    rest = rest.slice(end)
  }
  return of(rest)
}

const NAMED = /"([^"]+)" AS \(\s*(?=SELECT\b)/

/** Where the parenthesis before a place is closed; quoted names and texts have none. */
function endOf(sql: string, from: number): number {
  let depth = 1
  for (const { 0: found, index } of sql.slice(from).matchAll(/"[^"]*"|'[^']*'|[()]/g)) {
    if (found === '(') depth++
    else if (found === ')') depth--
    if (depth === 0) return from + index
  }
  return sql.length
}
