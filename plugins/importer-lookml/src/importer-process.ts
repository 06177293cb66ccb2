import { apart } from '@grainline/core'
import { importer } from './importer.js'

/** Views and explores of LookML. A text may have many files, one after another, with a line `---` between. */
export const lookml = apart(importer, import.meta.url, weigh)

/** A view repeats the fields of all views that it extends, so the work may grow with the square of the text. */
function weigh(text: string): number {
  const extending = text.match(/\bextends/g)?.length ?? 0
  return text.length * (1 + extending / 4)
}
