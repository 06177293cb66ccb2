import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Finding } from '../errors.js'
import type { ForeignText, Importer } from '../model/importer.js'
import { OBML } from '../model/obml.js'

/** Errors of a text, the first of which says if the text is of another format than the one that it was read in. `named`: that format; none for a model of this server. */
export async function withOtherFormat(
  errors: readonly Finding[],
  source: ForeignText,
  importers: Iterable<Importer>,
  named?: string,
): Promise<readonly Finding[]> {
  const [first, ...more] = errors
  const other = first && (await otherFormat(source, importers, named))
  if (!first || other === undefined) return errors
  return [{ ...first, hint: first.hint === undefined ? other : `${other} ${first.hint}` }, ...more]
}

/** What the author can do about a text that shows another format; undefined for every other text. */
async function otherFormat(source: ForeignText, importers: Iterable<Importer>, named?: string): Promise<string | undefined> {
  const shown = await formatsShownBy(source, importers)
  const [other] = shown
  if (other !== undefined)
    return named !== undefined && shown.includes(named)
      ? undefined
      : `This looks like the format '${other}': name it (--from ${other}, or "format": "${other}").`
  const isOwn = named !== undefined && named !== OBML && OWN.test(source.text)
  return isOwn ? 'This looks like a model of this server: name no format.' : undefined
}

/** The formats that a text shows. Each looks at the whole text, which takes a part of the time that a request may hold the event loop. */
export async function formatsShownBy(source: ForeignText, importers: Iterable<Importer>): Promise<readonly string[]> {
  const shown: string[] = []
  for (const { name, detect } of importers) {
    if (detect(source)) shown.push(name)
    if (source.text.length > LONG) await nextTurn()
  }
  return shown
}

const LONG = 100_000

const OWN = /^ *"?dataObjects"? *:/m
