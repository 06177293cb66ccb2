import { type RowStream, textRows } from '../rows/row-block.js'
import { textField } from '../types/pg-type.js'
import type { Field } from '../wire/messages.js'
import { refuse } from '../wire/pg-error.js'
import type { SessionSettings } from './session-settings.js'

/** The columns of SHOW. */
export const showFields = (name: string): readonly Field[] =>
  isAll(name) ? [textField('name'), textField('setting'), textField('description')] : [textField(name)]

export function showRows(name: string, settings: SessionSettings): RowStream {
  if (isAll(name))
    return textRows(
      showFields(name),
      settings.all().map(([setting, value]) => [setting, value, '']),
    )
  const value = settings.get(name) ?? refuse('42704', `unrecognized configuration parameter "${name}"`)
  return textRows(showFields(name), [[value]])
}

const isAll = (name: string): boolean => name.toLowerCase() === 'all'
