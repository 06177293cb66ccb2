import path from 'node:path'
import { Marked } from 'marked'

/** The HTML of a page, its Markdown with links of the site, its title, its first sentence, and its sections for the search. An example that `runnable` knows has a link that runs it. */
export function rendered({ file, address, text }, source, runnable) {
  const link = linkFrom(file, source)
  const anchors = new Set()
  const sections = []
  const renderer = {
    heading({ tokens, depth, text: heading }) {
      const anchor = unused(anchorOf(heading), anchors)
      sections.push({ heading: plain(heading), anchor, text: '' })
      return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    link({ href, tokens }) {
      return `<a href="${escaped(link(href, '.html'))}">${this.parser.parseInline(tokens)}</a>`
    },
    code(token) {
      const state = runnable(token.lang ?? '', token.text)
      const shown = `<pre><code>${escaped(token.text)}\n</code></pre>\n`
      return state === undefined
        ? shown
        : `${shown}<p class="run"><a href="${baseOf(address)}/try/index.html${state}">Run it in this browser</a></p>\n`
    },
    table(token) {
      const row = (cells, tag) =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
      return `<div class="table"><table><thead>${row(token.header, 'th')}</thead><tbody>${token.rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>\n`
    },
  }
  const html = new Marked({ renderer }).parse(text.replaceAll(/<!--.*?-->\n?/gs, ''))
  const title = plain(/^# (.+)$/m.exec(text)?.[1] ?? file)
  const summary = firstSentence(text) ?? title
  return { html, title, summary, sections: searchable(text, sections, { title, address }), markdown: withLinks(text, link) }
}

/** The way from a page to the folder of the site. */
export const baseOf = (address) => path.posix.relative(path.posix.dirname(address), '.') || '.'

/** Of the first paragraph; lists, tables and code are none. */
function firstSentence(text) {
  const paragraph = text
    .replaceAll(/<!--.*?-->/gs, '')
    .split(/\n\s*\n/)
    .find((block) => /^\s*(?!#|[-|>]|```|\d+\.|!\[| {4})\S/.test(block))
  return paragraph && plain(paragraph.replaceAll('\n', ' ')).split(/(?<=[.:!?])\s/)[0]
}

/** The words below each heading. */
function searchable(text, sections, { title, address }) {
  const parts = text
    .replaceAll(/^```[\s\S]*?^```/gm, (code) => code.replaceAll(/^#/gm, ' '))
    .split(/^#{1,6} .+$/m)
    .slice(1)
  return sections.map(({ heading, anchor }, i) => ({
    title,
    heading,
    url: i === 0 ? address : `${address}#${anchor}`,
    text: plain(parts[i] ?? '')
      .replaceAll(/\s+/g, ' ')
      .slice(0, MOST),
  }))
}

/** Characters of a section that are searched. */
const MOST = 1500

/** A page of the documentation becomes a page of the site; any other file is one of the repository. */
function linkFrom(file, source) {
  return (href, extension) => {
    const [target, anchor] = href.split('#')
    if (/^[a-z]+:/i.test(href) || target === '') return href
    const place = path.posix.join('docs', path.posix.dirname(file), target)
    if (!place.startsWith('docs/') || !/\.(md|svg|png|json)$/.test(place))
      return `${source}/${place}${anchor === undefined ? '' : `#${anchor}`}`
    const renamed = target.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, extension)
    return anchor === undefined ? renamed : `${renamed}#${anchor}`
  }
}

const withLinks = (text, link) =>
  text
    .split(/(^```[\s\S]*?^```)/m)
    .map((part) =>
      part.startsWith('```') ? part : part.replaceAll(/\]\(([^)\s]+)\)/g, (_whole, href) => `](${link(href, '.md')})`),
    )
    .join('')

/** As a repository makes it: lower case, dashes for spaces, no punctuation. */
const anchorOf = (heading) =>
  plain(heading)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

function unused(anchor, anchors) {
  let found = anchor
  for (let n = 1; anchors.has(found); n++) found = `${anchor}-${n}`
  anchors.add(found)
  return found
}

const plain = (markdown) =>
  markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<!--.*?-->/gs, '')
    .replaceAll(/[`*|]/g, '')
    .trim()
export const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
