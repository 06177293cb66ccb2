/** Answers as plain rows. */
import type { Answer } from '@grainline/flight-sql'

export async function rowsOf(answer: Answer): Promise<unknown[][]> {
  const rows: unknown[][] = []
  for await (const batch of answer) for (const row of batch) rows.push([...row].map(([, value]) => value))
  return rows
}
