/** The statement that creates a metric view: its YAML is between dollar signs. */
import { Refused } from '@grainline/importer-dbt/foreign'

export const STATEMENT = /^\s*(?:--[^\n]*\n\s*)*CREATE\s[^$]{0,2000}?\sWITH\s+METRICS\s/i

/** Another statement after the end of the first one. */
const SEVERAL = /\$\$\s*;\s*CREATE\s/i

const WHOLE =
  /^(\s*(?:--[^\n]*\n\s*)*CREATE\s+(?:OR\s+REPLACE\s+)?VIEW\s+(?:IF\s+NOT\s+EXISTS\s+)?((?:`[^`]+`|[\w-]+)(?:\s*\.\s*(?:`[^`]+`|[\w-]+)){0,2})\s+WITH\s+METRICS\s+LANGUAGE\s+YAML\s+AS\s+\$\$)([^$]*)\$\$\s*;?\s*$/i

/** The YAML of a text, every line where it was, and the name that a statement gives. */
export function unwrapped(text: string): { readonly yaml: string; readonly name: string | undefined } {
  if (!STATEMENT.test(text)) return { yaml: text, name: undefined }
  const [, head, path = '', body = ''] = WHOLE.exec(text) ?? []
  if (head === undefined)
    throw new Refused(
      'The statement cannot be read.',
      { line: 1, column: 1 },
      SEVERAL.test(text)
        ? 'A text is one metric view: convert each statement by itself.'
        : 'Write CREATE OR REPLACE VIEW name WITH METRICS LANGUAGE YAML AS $$ … $$, or only the YAML.',
    )
  const name = /`([^`]+)`$|(?<![\w-])[\w-]+$/.exec(path.trimEnd())
  return { yaml: head.replace(/[^\n]/g, '') + body, name: name?.[1] ?? name?.[0] }
}
