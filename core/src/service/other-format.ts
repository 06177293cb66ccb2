import type { Finding } from '../errors.js'
import type { ForeignText, Importer } from '../model/importer.js'
import { OBML } from '../model/obml.js'

/** Errors of a text, the first of which says if the text is of another format than the one that it was read in. `named`: that format; none for a model of this server. */
export function withOtherFormat(
  errors: readonly Finding[],
  source: ForeignText,
  importers: Iterable<Importer>,
  named?: string,
): readonly Finding[] {
  const [first, ...more] = errors
  const other = first && otherFormat(source, importers, named)
  if (!first || other === undefined) return errors
  return [{ ...first, hint: first.hint === undefined ? other : `${other} ${first.hint}` }, ...more]
}

/** What the author can do about a text that shows another format; undefined for every other text. */
function otherFormat(source: ForeignText, importers: Iterable<Importer>, named?: string): string | undefined {
  const shown = [...importers].filter(({ detect }) => detect(source)).map(({ name }) => name)
  const [other] = shown
  if (other !== undefined)
    return named !== undefined && shown.includes(named)
      ? undefined
      : `This looks like the format '${other}': name it (--from ${other}, or "format": "${other}").`
  const isOwn = named !== undefined && named !== OBML && OWN.test(source.text)
  return isOwn ? 'This looks like a model of this server: name no format.' : undefined
}

const OWN = /^ *"?dataObjects"? *:/m
