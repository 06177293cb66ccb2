/** What vendors say of items in `custom_extensions`: kept, and acted on by nothing. */
import type { Imported, Loss } from '@grainline/core'
import { type Part, type Place, Refused } from '@grainline/importer-dbt/foreign'
import { VENDOR } from './extension.js'

interface Extended {
  /** The item, as its messages name it. */
  readonly name: string
  readonly place: Place
  readonly isModel: boolean
  readonly notes: readonly { readonly vendor: string; readonly data: string }[]
}

/** The items of a text that vendors have extended. */
export function extensionsOf(root: Part): readonly Extended[] {
  const models = root.has('datasets') ? [root] : root.parts('semantic_model')
  return models.flatMap((model) => {
    const datasets = model.parts('datasets')
    const items = [
      ...datasets,
      ...datasets.flatMap((each) => each.parts('fields')),
      ...model.parts('relationships'),
      ...model.parts('metrics'),
    ]
    return [extended(model, true), ...items.map((item) => extended(item, false))].filter(({ notes }) => notes.length > 0)
  })
}

const extended = (part: Part, isModel: boolean): Extended => ({
  ...{ name: part.needed('name'), place: part.place, isModel },
  notes: part
    .parts('custom_extensions')
    .map((each) => {
      const unknown = Object.keys(each.data).find((key) => key !== 'vendor_name' && key !== 'data')
      if (unknown !== undefined)
        throw new Refused(`'${unknown}' is no key of an extension.`, each.at(unknown), 'Write it into data.')
      return { vendor: each.needed('vendor_name'), data: each.needed('data') }
    })
    .filter(({ vendor }) => vendor !== VENDOR),
})

/** The same model, in which items have the notes of vendors. */
export function withExtensions(imported: Imported, all: readonly Extended[]): Imported {
  const document = structuredClone(imported.document) as Record<string, unknown>
  const paths = new Map(imported.places.map(({ path, place }) => [keyOf(place), path]))
  const losses = all.flatMap(({ name, place, isModel, notes }): Loss[] => {
    const path = isModel ? [] : paths.get(keyOf(place))
    const entry = path?.reduce<unknown>((value, key) => (value as Record<string | number, unknown> | undefined)?.[key], document)
    if (typeof entry === 'object' && entry !== null) Object.assign(entry, { customExtensions: notes })
    const vendors = notes.map(({ vendor }) => vendor).join(', ')
    const where = entry === undefined ? 'is not in the model' : 'is in its customExtensions, on which nothing acts'
    const said = isModel ? { path: ['customExtensions'] } : path && { path }
    return [
      { kind: 'inert', message: `What ${vendors} says of '${name}' ${where}.`, place, ...said },
      ...notInert(name, place, notes),
    ]
  })
  return { ...imported, document, losses: [...imported.losses, ...losses] }
}

/** Rules of a vendor about who sees what are never inert, and neither are filters, which change numbers. */
function notInert(name: string, place: Place, notes: Extended['notes']): readonly Loss[] {
  return notes.flatMap(({ vendor, data }) =>
    keysIn(data).flatMap((key): Loss[] => {
      const isSecurity = SECURITY.test(key)
      if (!isSecurity && !/^(global_?)?filters?$/i.test(key)) return []
      const why = isSecurity ? 'it decides who sees what' : `numbers of ${vendor} are of fewer rows`
      return [
        {
          ...{ kind: 'refused', message: `'${key}', which ${vendor} says of '${name}', is left out: ${why}.`, place },
          ...(isSecurity ? { isSecurity } : { hint: 'Add it to the filters of the model.' }),
        },
      ]
    }),
  )
}

const SECURITY =
  /^((row|column|data|member|object)_?(level_?)?(access|security|filters?|masks?|polic(y|ies)|permissions?)|(row_?)?access_?(polic(y|ies)|filters?|rules?|grants?)|masking_?polic(y|ies)|(user_?)?roles?|user_?attributes?|required_?access_?grants?|permissions?|security)$/i

/** The keys of data that are JSON. */
function keysIn(data: string): readonly string[] {
  const keys = new Set<string>()
  try {
    JSON.parse(data, (key, value: unknown) => {
      keys.add(key)
      return value
    })
  } catch {
    return []
  }
  return [...keys]
}

const keyOf = ({ line, column }: Place): string => `${line}:${column}`
