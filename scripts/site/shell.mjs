import path from 'node:path'
import { baseOf, escaped } from './render.mjs'

/** A page with the list of pages beside it: of those about its use, or of those about how it is built. */
export function shell(page, pages) {
  const base = baseOf(page.address)
  const shown = pages.filter(({ isInternal }) => isInternal === page.isInternal)
  const sections = [...new Set(shown.map(({ section }) => section))]
  const item = ({ address, title }) =>
    `<li><a href="${base}/${address}"${address === page.address ? ' aria-current="page"' : ''}>${escaped(title)}</a></li>`
  const list = sections.map(
    (section) =>
      `<details${section === page.section ? ' open' : ''}><summary>${escaped(section)}</summary><ul>${shown
        .filter((each) => each.section === section)
        .map(item)
        .join('')}</ul></details>`,
  )
  const other = pages.find(({ isInternal }) => isInternal !== page.isInternal)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escaped(page.summary)}">
<title>${escaped(page.title)} · Grainline</title>
<link rel="stylesheet" href="${base}/site.css">
<link rel="alternate" type="text/markdown" href="${path.posix.basename(page.twin)}">
<script src="${base}/search.js" defer data-base="${base}"></script>
</head>
<body>
<header><a href="${base}/index.html">Grainline</a><input type="search" id="search" placeholder="Search" aria-label="Search"><a href="${base}/try/index.html">Try it</a><a href="${path.posix.basename(page.twin)}">Markdown</a></header>
<ol id="found" hidden></ol>
<nav aria-label="Pages">${list.join('')}<a href="${base}/${other.address}">${page.isInternal ? 'Use it' : 'How it is built'}</a></nav>
<main>${page.html}</main>
</body>
</html>
`
}
