/** Values that are known only when a query is asked. */
import { LeftOut, type Part } from '@grainline/importer-dbt/foreign'

/** Throws for a text with Liquid, which is known only when a query is asked. */
export function refuseLiquid(text: string, key: string, part: Part): void {
  const at = /\{\{|\{%/.exec(text)?.index
  if (at !== undefined) {
    const { line, column } = part.at(key)
    const before = text.slice(0, at)
    const lines = before.split('\n')
    const place = { line: line + lines.length - 1, column: lines.length === 1 ? column + at : at - before.lastIndexOf('\n') }
    throw new LeftOut(
      `its '${key}' has Liquid (${text.startsWith('{%', at) ? '{% … %}' : '{{ … }}'}), which is known only when a query is asked`,
      place,
      'Write the value without Liquid.',
    )
  }
  const constant = /@\{\w{1,128}\}/.exec(text)?.[0]
  if (constant !== undefined)
    throw new LeftOut(
      `the text does not declare the constant '${constant}'`,
      part.at(key),
      'Convert the folder with its manifest.',
    )
}
