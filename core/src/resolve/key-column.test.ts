/** Columns whose equal values have one form. */
import t from 'tap'
import { FLOAT, INT, STRING } from '../model/data-type.js'
import type { StoredColumn } from '../model/stored-column.js'
import { text } from './expressions.js'
import { isKeyColumn, isWholeColumn } from './key-column.js'
import { relationColumn } from './relation-column.js'

const stored = (kind: string | undefined) => ({ ...(kind && { physical: { kind } }) }) as StoredColumn

t.test('texts as declared, and integers of any width', async (t) => {
  const [whole, name] = [relationColumn('', 'x', INT), relationColumn('', 'x', STRING)]
  t.ok(isKeyColumn(whole))
  t.ok(isKeyColumn({ ...whole, stored: stored('integer') }))
  t.ok(isKeyColumn({ ...whole, stored: stored(undefined) }), 'another declared type')
  t.notOk(isKeyColumn({ ...whole, stored: stored('decimal') }))
  t.ok(isKeyColumn(name))
  t.notOk(isKeyColumn({ ...name, stored: stored('uuid') }))
  t.notOk(isKeyColumn(relationColumn('', 'x', FLOAT)))
  t.notOk(isKeyColumn(text('x')), 'no column')
  t.notOk(isWholeColumn({ ...whole, stored: stored('decimal') }))
})
