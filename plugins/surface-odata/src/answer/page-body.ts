import { createHash } from 'node:crypto'
import type { Finding } from '@grainline/core'
import { type RecordBatch, slices } from '@grainline/core/format'
import { KEY } from '../names/entity-set.js'
import { cellsOf, type ValueForm } from './row-writer.js'

/** What the body of a page contains beside its rows. */
export interface PageBody {
  readonly batches: AsyncIterable<RecordBatch>
  /** The properties of the columns, in order. */
  readonly names: readonly string[]
  readonly form: ValueForm
  readonly pageRows: number
  /** The members before the rows, such as `@odata.context`. */
  readonly head: Readonly<Record<string, unknown>>
  /** Given if rows have a key: what keys of this answer have in common, and the rows before this page. */
  readonly key: { readonly answer: string; readonly before: number } | undefined
  /** The address of the next page. */
  readonly next: () => string
  /** What the answer says about its numbers, known after the rows. */
  readonly warnings: () => readonly Finding[]
}

/** Writes a collection of entities (OData JSON 4.0, 12), piece by piece, with the link to the next page if there is one more row. */
export async function* pageBody(body: PageBody): AsyncIterable<string> {
  const head = JSON.stringify(body.head)
  yield `${head.slice(0, -1)}${head === '{}' ? '' : ','}"value":[`
  let written = 0
  let isMore = false
  for await (const { batch, from, to } of slices(body.batches)) {
    const rowAt = rowWriter(batch, body)
    const rows: string[] = []
    for (let row = from; row < to && !isMore; row++) {
      if (written === body.pageRows) isMore = true
      else rows.push(`${written++ > 0 ? ',' : ''}${rowAt(row, written)}`)
    }
    if (rows.length > 0) yield rows.join('')
  }
  const end = { ...(isMore && { '@odata.nextLink': body.next() }), ...messagesOf(body.warnings()) }
  const tail = JSON.stringify(end)
  yield tail === '{}' ? ']}' : `],${tail.slice(1)}`
}

/** An instance annotation of the standard vocabulary. */
function messagesOf(warnings: readonly Finding[]): Readonly<Record<string, unknown>> {
  if (warnings.length === 0) return {}
  const messages = warnings.map(({ code, message, path }) => ({ code, message, severity: 'warning', target: path }))
  return { '@Org.OData.Core.V1.Messages': messages }
}

function rowWriter(batch: RecordBatch, { names, form, key }: PageBody): (row: number, position: number) => string {
  const cells = cellsOf(batch, form)
  const heads = names.map((name) => `${JSON.stringify(name)}:`)
  return (row, position) => {
    const members = cells.map((cell, i) => `${heads[i]}${cell(row)}`)
    if (key !== undefined) members.unshift(`"${KEY}":"${key.answer}-${key.before + position}"`)
    return `{${members.join(',')}}`
  }
}

/** The beginning of the keys of an answer. Another statement has other keys, so that no client takes a row of one for a row of the other. */
export const answerKey = (statement: string): string => createHash('sha256').update(statement).digest('base64url').slice(0, 12)
