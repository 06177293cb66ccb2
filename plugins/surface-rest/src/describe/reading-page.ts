/** Shows an OpenAPI document as one page of HTML without scripts. */

interface Shape {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly default?: unknown
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Shape }>>
  readonly description?: string
}
interface Operation {
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema?: Shape
    readonly description?: string
  }[]
  readonly requestBody?: Content
  readonly responses?: Readonly<Record<string, Content>>
}
interface Route extends Operation {
  readonly method: string
  readonly path: string
}

export function readingPage(document: object): string {
  const { info, paths = {} } = document as {
    readonly info: { readonly title: string; readonly version: string; readonly description?: string }
    readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  }
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Route => ({ ...operation, method: method.toUpperCase(), path })),
  )
  const tags = [...new Set(routes.map(tagOf))]
  const sections = tags.map((tag) => {
    const own = routes.filter((route) => tagOf(route) === tag)
    return `<section><h2 id="${html(tag)}">${html(tag)}</h2>${own.map(articleOf).join('')}</section>`
  })
  const links = tags.map((tag) => `<li><a href="#${html(tag)}">${html(tag)}</a></li>`)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${html(info.title)} ${html(info.version)}</title><style>${STYLE}</style></head><body>
<header><h1>${html(info.title)} ${html(info.version)}</h1><p>${html(info.description ?? '')}</p><nav><ul>${links.join('')}</ul></nav></header>
<main>${sections.join('\n')}</main></body></html>`
}

const tagOf = ({ tags }: Route): string => tags?.[0] ?? 'other'

function articleOf({ method, path, summary = '', parameters = [], requestBody, responses = {} }: Route): string {
  const given = parameters.map(
    ({ name, in: place, required, schema = {}, description }) =>
      `<li><code>${html(name)}</code> <small>${html(place)}${required ? ', needed' : ''}</small> ${shapeOf({ description, ...schema } as Shape)}</li>`,
  )
  const answers = Object.entries(responses).map(
    ([status, answer]) => `<li><code>${html(status)}</code> ${html(answer.description ?? '')} ${contentOf(answer)}</li>`,
  )
  return `<article><h3><code>${method} ${html(path)}</code></h3><p>${html(summary)}</p>${listOf('Parameters', given)}${
    requestBody ? `<details><summary>Body</summary>${contentOf(requestBody)}</details>` : ''
  }${listOf('Answers', answers)}</article>`
}

function listOf(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `<details><summary>${title}</summary><ul>${items.join('')}</ul></details>`
}

function contentOf({ content = {} }: Content): string {
  return Object.entries(content)
    .map(([type, { schema }]) => `<small>${html(type)}</small> ${schema ? shapeOf(schema) : ''}`)
    .join('')
}

function shapeOf(shape: Shape): string {
  const says = `<em>${html(typeOf(shape))}</em> ${html(shape.description ?? '')}`
  const inner = [shape, shape.items ?? {}, ...(shape.anyOf ?? [])].find(({ properties }) => properties !== undefined)
  if (inner?.properties === undefined) return says
  const items = Object.entries(inner.properties).map(([name, property]) => {
    const needed = inner.required?.includes(name) ? ' <small>needed</small>' : ''
    return `<li><code>${html(name)}</code>${needed} ${shapeOf(property)}</li>`
  })
  return `${says}<ul>${items.join('')}</ul>`
}

function typeOf({ type, enum: words, items, anyOf, default: value }: Shape): string {
  const standard = value === undefined ? '' : `, ${JSON.stringify(value)} when absent`
  if (words) return `${words.join(' | ')}${standard}`
  if (anyOf) return `${anyOf.map(typeOf).join(' or ')}${standard}`
  if (items) return `array of ${typeOf(items)}${standard}`
  return `${[type ?? 'any'].flat().join(' or ')}${standard}`
}

const html = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}
nav ul{display:flex;gap:1rem;flex-wrap:wrap;list-style:none;padding:0}article{border-top:1px solid #8884;padding:.5rem 0}
h3{margin:.5rem 0}code{font-family:ui-monospace,monospace}small{opacity:.7}ul{padding-left:1.25rem}summary{cursor:pointer}`
