/** Models that a program writes: they are known only when it has run. */
import { type Place, Refused } from '@grainline/importer-dbt/foreign'

/** Throws for a text that is a program, or has templates. */
export function refusePrograms(text: string): void {
  for (const { mark, what, hint } of PROGRAMS) {
    const at = mark.exec(text)?.index
    if (at !== undefined) throw new Refused(`The text has ${what}.`, placeAt(text, at), hint)
  }
}

const WRITTEN_OUT = 'Write out what the template makes, and convert the result.'

const PROGRAMS: readonly { readonly mark: RegExp; readonly what: string; readonly hint: string }[] = [
  {
    mark: /^[ \t]*(cube|view|view_group)\([ \t]*[`'"]|^(const|let|var|module\.exports|exports\.\w+|export)\b(?! *:)/m,
    what: 'JavaScript, which makes models or settings when it runs',
    hint: 'Write the model in YAML, and convert the folder that contains only its files.',
  },
  {
    mark: /^(from [\w.]+ import |import [\w.{*]|def \w+\(|@\w+(\.\w+)*\(?)/m,
    what: 'Python or JavaScript, which makes models or settings when it runs',
    hint: 'Write the model in YAML, and convert the folder that contains only its files.',
  },
  { mark: /\{%/, what: 'a template of Jinja ({% … %})', hint: WRITTEN_OUT },
  { mark: /\{\{/, what: 'a template of Jinja ({{ … }})', hint: WRITTEN_OUT },
  { mark: /\{#/, what: 'a template of Jinja ({# … #})', hint: WRITTEN_OUT },
]

function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}
