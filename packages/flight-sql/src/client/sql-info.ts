import type { RecordBatch } from 'apache-arrow'

/** What a server tells of itself, by the codes of `SqlInfo`. */
export async function readSqlInfo(answer: AsyncIterable<RecordBatch>): Promise<ReadonlyMap<number, unknown>> {
  const told = new Map<number, unknown>()
  for await (const batch of answer) {
    for (const row of batch) told.set(Number(row['info_name']), row['value'])
  }
  return told
}
