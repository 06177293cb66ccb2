/** TMDL: objects and properties by their indentation, as a part whose keys are read one by one. */
import { type Part, type Place, partOf, Refused } from '@grainline/importer-dbt/foreign'

interface Line {
  /** Without white space around. */
  readonly text: string
  /** How far it is indented, in tabs. */
  readonly depth: number
  readonly place: Place
  readonly raw: string
}

type Path = readonly (string | number)[]

interface Node {
  readonly data: Record<string, unknown>
  readonly path: Path
  /** The indentation of its own line. */
  readonly depth: number
}

const MOST_DEEP = 20

/**
 * An object is a mapping in a list under the word before its name, with `name`, `description` (its `///`) and `value` (what follows `=`); a property is
 * a text, which is `true` if it stands alone. Throws `Refused`.
 */
export function rootOf(text: string): Part {
  return new Reader(linesOf(text)).root()
}

class Reader {
  readonly #places = new Map<string, Place>()
  readonly #root: Node = { data: Object.create(null), path: [], depth: -1 }
  #open: Node[] = []
  #description: string[] = []
  #at = 0

  constructor(private readonly lines: readonly Line[]) {}

  root(): Part {
    this.#open = [this.#root]
    while (this.#at < this.lines.length) this.#read()
    return partOf(this.#root.data, (path) => this.#placeOf(path))
  }

  #placeOf(path: Path): Place {
    for (let length = path.length; length > 0; length--) {
      const place = this.#places.get(JSON.stringify(path.slice(0, length)))
      if (place) return place
    }
    return { line: 1, column: 1 }
  }

  #read(): void {
    const line = this.lines[this.#at++]
    if (!line || line.text === '') return
    if (line.text.startsWith('///')) {
      this.#description.push(line.text.slice(3).trim())
      return
    }
    if (line.text === '---' && line.depth === 0) {
      this.#open = [this.#root]
      return
    }
    this.#open = this.#open.slice(0, 1 + this.#open.slice(1).filter(({ depth }) => depth < line.depth).length)
    if (/^(createOrReplace|createOrReplace:|create|alter)$/.test(line.text) && line.depth === 0) return
    // The order of objects is that of the text.
    if (/^ref\s/.test(line.text)) return
    this.#declared(line, this.#open.at(-1) ?? this.#root)
  }

  #declared(line: Line, owner: Node): void {
    const found = DECLARED.exec(line.text)
    const [, key = '', quoted, plain, mark, rest = ''] = found ?? []
    if (!found || key === '__proto__') throw new Refused('Here is no object or property of TMDL.', line.place)
    const name = quoted?.slice(1, -1).replaceAll("''", "'") ?? plain
    const description = this.#description.join('\n')
    this.#description = []
    if (name === undefined && mark === undefined && this.#hasBelow(line))
      this.#object(key, undefined, description, undefined, line, owner)
    else if (name === undefined || mark === ':') {
      if (name !== undefined)
        throw new Refused(`'${key}' has a name and a colon.`, line.place, 'Write quotes around a name with spaces.')
      this.#property(key, mark, rest, line, owner)
    } else this.#object(key, name, description, mark === '=' ? rest : undefined, line, owner)
  }

  /** Whether a word alone is an object: it has properties. */
  #hasBelow({ depth }: Line): boolean {
    return (this.lines.slice(this.#at, this.#at + 20).find(({ text }) => text !== '')?.depth ?? 0) > depth
  }

  #property(key: string, mark: string | undefined, rest: string, line: Line, owner: Node): void {
    if (Object.hasOwn(owner.data, key)) throw new Refused(`'${key}' is written twice.`, line.place, 'Remove one of them.')
    const path = [...owner.path, key]
    owner.data[key] = mark === '=' ? this.#expression(path, rest, line, line.depth + 1) : mark === ':' ? plainText(rest) : 'true'
    if (!this.#places.has(JSON.stringify(path))) this.#places.set(JSON.stringify(path), line.place)
  }

  #object(key: string, name: string | undefined, description: string, rest: string | undefined, line: Line, around: Node): void {
    // What stands in the database or the model stands alone, too.
    const owner =
      around.path.length > 0 &&
      around.path.every((step) => typeof step === 'number' || step === 'model' || step === 'database') &&
      key !== 'annotation'
        ? this.#root
        : around
    if (this.#open.length > MOST_DEEP) throw new Refused(`More than ${MOST_DEEP} objects stand in each other.`, line.place)
    const before = owner.data[key]
    if (before !== undefined && !Array.isArray(before)) throw new Refused(`'${key}' is a property and an object.`, line.place)
    const list: unknown[] = Array.isArray(before) ? before : []
    owner.data[key] = list
    const path = [...owner.path, key, list.length]
    const data: Record<string, unknown> = Object.create(null)
    if (name !== undefined) data['name'] = name
    if (description !== '') data['description'] = description
    this.#places.set(JSON.stringify(path), line.place)
    if (!this.#places.has(JSON.stringify([...owner.path, key])))
      this.#places.set(JSON.stringify([...owner.path, key]), line.place)
    list.push(data)
    this.#open.push({ data, path, depth: line.depth })
    if (rest !== undefined) data['value'] = this.#expression([...path, 'value'], rest, line, line.depth + 2)
  }

  /** An expression on the line, or on the lines below that are indented at least so far; or between three backticks. */
  #expression(path: Path, rest: string, line: Line, depth: number): string {
    const place = (at: Place) => this.#places.set(JSON.stringify(path), at)
    if (rest.startsWith('```')) return this.#fenced(rest, line, place)
    if (rest !== '') place({ line: line.place.line, column: line.place.column + line.text.length - rest.length })
    const found: string[] = rest === '' ? [] : [rest]
    for (let next = this.lines[this.#at]; next && (next.text === '' || next.depth >= depth); next = this.lines[++this.#at]) {
      if (next.text === '---' && next.depth === 0) break
      if (found.length === 0 && next.text.startsWith('```')) {
        this.#at++
        return this.#fenced(next.text, next, place)
      }
      if (found.length === 0 && next.text !== '') place(next.place)
      if (found.length > 0 || next.text !== '') found.push(next.raw)
    }
    // White space before the first line is not part of it.
    return found.join('\n').trim()
  }

  #fenced(rest: string, line: Line, place: (at: Place) => void): string {
    const first = rest.slice(3)
    const closed = first.indexOf('```')
    place({ line: line.place.line, column: line.place.column + line.text.length - first.length })
    if (closed >= 0) return first.slice(0, closed)
    const found = [first]
    for (let next = this.lines[this.#at++]; next; next = this.lines[this.#at++]) {
      const end = next.raw.indexOf('```')
      if (end >= 0) return [...found, next.raw.slice(0, end)].join('\n')
      found.push(next.raw)
    }
    throw new Refused('The expression between three backticks does not end.', line.place)
  }
}

/** A word, then a name or none, then what is after `=` or `:`. */
const DECLARED = /^(\w{1,100})(?:[ \t]{1,9}(?:('(?:[^']|''){1,500}')|([^\s=:'"]{1,500})))?[ \t]{0,9}(?:([=:])[ \t]{0,9}(.*))?$/s

/** A text may stand between double quotes. */
const plainText = (text: string): string => (/^"(?:[^"]|"")*"$/.test(text) ? text.slice(1, -1).replaceAll('""', '"') : text)

function linesOf(text: string): readonly Line[] {
  const written = text.split('\n').map((line) => line.replace(/\r$/, '').replace(/^\uFEFF/, ''))
  const margins = written
    .flatMap((line) => (line.trim() === '' ? [] : [/^ */.exec(line)?.[0].length ?? 0]))
    .filter((width) => width > 0)
  const unit = margins.reduce((least, width) => Math.min(least, width), 8)
  return written.map((raw, at) => {
    const margin = /^[ \t]*/.exec(raw)?.[0] ?? ''
    const depth = [...margin].reduce((sum, mark) => sum + (mark === '\t' ? 1 : 1 / unit), 0)
    const isBlank = margin.length === raw.length
    return {
      raw,
      text: isBlank ? '' : raw.trim(),
      depth: Math.floor(depth + 1e-9),
      place: { line: at + 1, column: margin.length + 1 },
    }
  })
}
