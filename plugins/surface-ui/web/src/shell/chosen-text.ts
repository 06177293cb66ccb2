/** The text of a model: what a person pasted, or the files that they chose, one after another. */
export interface ChosenText {
  readonly text: string
  /** The files, each with the line of the text at which it begins. */
  readonly files: readonly { readonly name: string; readonly first: number }[]
}

export const pasted = (text: string): ChosenText => ({ text, files: [] })

export async function textOfFiles(chosen: readonly File[]): Promise<ChosenText> {
  const sorted = [...chosen].sort((a, b) => (a.name < b.name ? -1 : 1))
  const texts = await Promise.all(sorted.map((file) => file.text()))
  let first = 1
  const files = sorted.map(({ name }, at) => {
    const begins = first
    // One line separates it from the next file.
    first += (texts[at] ?? '').split('\n').length + 1
    return { name, first: begins }
  })
  return { text: texts.join('\n---\n'), files }
}

/** A line of the text as a person finds it, such as `orders.view.lkml:12`. */
export function placeOf({ files }: ChosenText, line: number): string {
  const file = files.findLast(({ first }) => first <= line)
  return file ? `${file.name}:${line - file.first + 1}` : `line ${line}`
}

/** Models of this server have data objects; every other text is one of another product. */
export const isOwn = ({ text }: ChosenText): boolean => /^[ \t{]*"?dataObjects"?[ \t]*:/m.test(text)
