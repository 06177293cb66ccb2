// Searches the headings and texts of all sections; the index is loaded with the first letter.
const { base } = document.currentScript.dataset
const input = document.getElementById('search')
const list = document.getElementById('found')
let sections

input.addEventListener('input', async () => {
  sections ??= fetch(`${base}/search.json`).then((answer) => answer.json())
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
  const found = words.length === 0 ? [] : ranked(await sections, words).slice(0, 20)
  list.hidden = words.length === 0
  list.replaceChildren(...(found.length === 0 ? [entry('Nothing found')] : found.map(linked)))
})

/** Every word must occur: a word of a title counts most, then of a heading. */
function ranked(all, words) {
  const places = ['title', 'heading', 'text']
  const score = (section) =>
    words.reduce((sum, word) => {
      const at = places.findIndex((place) => section[place].toLowerCase().includes(word))
      return sum + (at === -1 ? -1000 : [10, 6, 1][at])
    }, 0)
  const scored = all.map((section) => ({ section, points: score(section) })).filter(({ points }) => points > 0)
  return scored.sort((a, b) => b.points - a.points).map(({ section }) => section)
}

function linked({ title, heading, url, text }) {
  const link = document.createElement('a')
  link.href = `${base}/${url}`
  link.textContent = title === heading ? title : `${title}: ${heading}`
  const item = entry(` ${text.slice(0, 140)}`)
  item.prepend(link)
  return item
}

function entry(text) {
  const item = document.createElement('li')
  item.append(text)
  return item
}
