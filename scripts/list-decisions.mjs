// The list of all decisions in docs/decisions/README.md, from the headings and dates of the pages: node scripts/list-decisions.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = path.join(path.dirname(path.dirname(fileURLToPath(import.meta.url))), 'docs/decisions')
const list = path.join(folder, 'README.md')

/** The list with a row for each decision of each page that it names, by number. */
export function listed() {
  return readFileSync(list, 'utf8').replace(
    /^(## \[.*\]\((\S+\.md)\)\n\n\|.*\n\|.*\n)(?:\|.*\n?)*/gm,
    (_, head, page) => head + rowsOf(page),
  )
}

function rowsOf(page) {
  const text = readFileSync(path.join(folder, page), 'utf8')
  return [...text.matchAll(/^## (\d+)\. (.*)\n\n\*(\d{4}-\d\d-\d\d)/gm)]
    .map(([, number, title, date]) => ({ number: Number(number), title, date }))
    .sort((a, b) => a.number - b.number)
    .map(({ number, title, date }) => `| ${number} | [${title}](${page}#${anchorOf(`${number}. ${title}`)}) | ${date} |\n`)
    .join('')
}

/** As a renderer of Markdown makes it: lower case, dashes for spaces, no punctuation. */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(list, listed())
