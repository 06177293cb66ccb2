import type { Exported, ImportedPlace } from '@grainline/core'

/** A text that is being written, and where it says the items of the model. */
export class PlacedText {
  readonly places: ImportedPlace[] = []
  readonly #parts: string[] = []
  #line = 1
  #column = 1

  get text(): string {
    return this.#parts.join('')
  }

  /** `path`: the item that the added text says. */
  add(text: string, path?: Exported['written'][number]): void {
    if (path) this.places.push({ path, place: { line: this.#line, column: this.#column } })
    this.#parts.push(text)
    const lines = text.split('\n')
    this.#line += lines.length - 1
    this.#column = (lines.length === 1 ? this.#column : 1) + (lines.at(-1) ?? '').length
  }

  /** Adds a text in which each of these, an item or several, begins at a line that matches, in this order. If other lines match, too, all are where the text begins. */
  addEach(text: string, begin: RegExp, items: readonly (readonly Exported['written'][number][])[]): void {
    const starts = text.split('\n').flatMap((line, at) => (begin.test(line) ? [{ at, column: line.search(/[^ -]|$/) + 1 }] : []))
    const isKnown = starts.length === items.length
    for (const [index, paths] of items.entries()) {
      const start = isKnown ? starts[index] : undefined
      const place = start ? { line: this.#line + start.at, column: start.column } : { line: this.#line, column: this.#column }
      for (const path of paths) this.places.push({ path, place })
    }
    this.add(text)
  }
}
