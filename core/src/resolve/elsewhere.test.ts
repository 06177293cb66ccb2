/** Where values of other periods are read, and which rows look them up. */
import t from 'tap'
import { said } from '../../../test/support/said.js'
import { BOOLEAN } from '../model/data-type.js'
import { isOwnRow, shiftOf } from './elsewhere.js'
import { relationColumn } from './relation-column.js'
import type { RowsAt, Shift } from './resolved-query.js'

const is = (name: string) => relationColumn('', name, BOOLEAN)
const shift = { apart: is('cut') } as unknown as Shift
const rowsAt = { shift: { finest: 'day' }, isOwn: is('own') } as unknown as RowsAt

t.test('at the period of the row, at another one, and for one cut period', async (t) => {
  t.equal(shiftOf({ shift: undefined }), undefined)
  t.equal(isOwnRow({ shift: undefined }), undefined)
  t.equal(shiftOf({ shift }), shift)
  t.equal(said(isOwnRow({ shift })!), 'not cut', 'all but the rows that are read apart')
  t.equal(isOwnRow({ shift: { ...shift, apart: undefined } }), undefined)
  t.match(shiftOf({ shift: undefined, rowsAt }), { finest: 'day' })
  t.equal(said(isOwnRow({ shift, rowsAt })!), 'own')
})
