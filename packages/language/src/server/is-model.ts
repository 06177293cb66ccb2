/** Whether a document is a model, and not some other YAML: by its name, by the schema it names, or by what it declares. */
export function isModel(uri: string, text: string): boolean {
  if (/(^|[/.])model\.(ya?ml|json)$/i.test(uri)) return true
  return (
    /^\s*#\s*yaml-language-server:.*\$schema=\S*model\.json/m.test(text.slice(0, BEGINNING)) ||
    /^["']?dataObjects["']?\s*:/m.test(text)
  )
}

const BEGINNING = 1_000
