/** The words and signs of DAX. */
import { LeftOut } from '@grainline/importer-dbt/foreign'

export interface DaxToken {
  readonly kind: 'name' | 'table' | 'column' | 'text' | 'number' | 'mark'
  readonly text: string
}

const TOKEN =
  /\s+|\/\/[^\n]*|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/|"((?:[^"]|"")*)"|'((?:[^']|'')+)'|\[((?:[^\]]|\]\])+)\]|(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+)|([A-Za-z_\u00C0-\u024F][\w.\u00C0-\u024F]*)|(<=|>=|<>|==|&&|\|\||[-+*/^&=<>(){},;]|\.(?=[ \t]{0,9}\[))/gy

export function tokensOf(text: string): readonly DaxToken[] {
  if (text.length > MOST_CHARACTERS) throw new LeftOut(`its DAX has more than ${MOST_CHARACTERS} characters`)
  const tokens: DaxToken[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex
    const found = TOKEN.exec(text)
    if (!found) throw new LeftOut(`its DAX cannot be read at '${text.slice(at, at + 20).trim()}'`)
    const [, quoted, table, column, number, name, mark] = found
    if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.replaceAll('""', '"') })
    else if (table !== undefined) tokens.push({ kind: 'table', text: table.replaceAll("''", "'") })
    else if (column !== undefined) tokens.push({ kind: 'column', text: column.replaceAll(']]', ']') })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name })
    else if (mark !== undefined) tokens.push({ kind: 'mark', text: mark })
  }
  return tokens
}

const MOST_CHARACTERS = 20_000
