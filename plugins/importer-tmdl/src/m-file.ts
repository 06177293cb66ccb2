/** A file of lines that a partition in M reads: its table has its name. */
import { LeftOut } from '@grainline/importer-dbt/foreign'

export interface FileReached {
  /** Without its folder and its ending. */
  readonly name: string
  readonly path: string
  readonly is: 'bytes' | 'lines' | 'rows with names'
}

const ENDINGS = new Set(['csv', 'tsv', 'tab', 'txt'])

/** The file of a path in parts; a part without a text is not known. `written` are the parts as they are shown. */
export function fileOf(texts: readonly (string | undefined)[], written: readonly string[]): FileReached {
  const known = texts.slice(texts.lastIndexOf(undefined) + 1).join('')
  const slash = Math.max(known.lastIndexOf('/'), known.lastIndexOf('\\'))
  const dot = known.lastIndexOf('.')
  const name = known.slice(slash + 1, dot)
  // What is before the known part may be the beginning of the name.
  const isWhole = slash >= 0 || !texts.includes(undefined)
  // '#(' begins a character that M writes by its number.
  const isPlain = name !== '' && dot > slash && !known.includes('#(')
  if (!isWhole || !isPlain || !ENDINGS.has(known.slice(dot + 1).toLowerCase()))
    throw new LeftOut('its M reads a file whose name is not written out, or that is no file of lines (csv, tsv, tab, txt)')
  return { name, path: written.join(''), is: 'bytes' }
}

/** The lines of a file. */
export function withLines(file: FileReached | undefined): FileReached {
  if (file?.is !== 'bytes') throw new LeftOut('its M reads lines of what is no file')
  return { ...file, is: 'lines' }
}

/** The first line becomes the names of the columns. */
export function withHeaders(file: FileReached | undefined): FileReached {
  if (file?.is !== 'lines')
    throw new LeftOut("its M calls 'Table.PromoteHeaders' on what are no lines of a file, which makes other rows")
  return { ...file, is: 'rows with names' }
}
