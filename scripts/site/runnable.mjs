import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parse } from 'yaml'

/** A function from an example of the documentation to the state of the page that asks it; `undefined` for what is no query about the flights of the demo. */
export async function runnableIn(root) {
  const model = parse(await readFile(path.join(root, 'examples/flights/model.yaml'), 'utf8'))
  const counts = Object.entries(model.dataObjects).map(
    ([name, { countLabel }]) => countLabel ?? model.countLabelPattern.replace('{object}', name),
  )
  const known = new Set([model.dimensions, model.measures, model.metrics].flatMap(Object.keys).concat(counts))
  return (language, code) => {
    const query = /^(?:json|yaml)$/.test(language) ? queryIn(code) : undefined
    const fields = [...(query?.select?.dimensions ?? []), ...(query?.select?.measures ?? [])]
    const isKnown = (field) => typeof field === 'string' && known.has(field.replace(/:\w+$/, ''))
    if (fields.length === 0 || !fields.every(isKnown)) return undefined
    return `#s=${Buffer.from(JSON.stringify({ model: model.name, query })).toString('base64url')}`
  }
}

function queryIn(code) {
  try {
    const read = parse(code)
    return read?.query ?? read
  } catch {
    return undefined
  }
}
