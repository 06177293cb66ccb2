/**
 * The path of a new user: a database of one's own, a first model, ten questions on the page, and a dashboard that is shared by link and by file.
 * Only what a person sees is used: names of buttons, of fields and of tabs. Each action counts the seconds that it takes a person.
 */
import { readFileSync } from 'node:fs'
import type { Locator, Page } from './browser.js'
import { until } from './on-pages.js'

/** Seconds of a person, by the keystroke-level model of Card, Moran and Newell. */
const KLM = { think: 1.35, point: 1.1, click: 0.2, key: 0.28, hands: 0.4 } as const
/** Seconds in which an answer, or what a command says, is read. */
const READ = 10

export interface Step {
  readonly name: string
  clicks: number
  keys: number
  /** Seconds of the person. */
  person: number
  /** Seconds of the machine, while the person waits. */
  machine: number
}

/** Counts what a person does, step by step. */
export class Person {
  readonly steps: Step[] = []
  #began = performance.now()

  begin(name: string): void {
    this.end()
    this.steps.push({ name, clicks: 0, keys: 0, person: 0, machine: 0 })
    this.#began = performance.now()
  }

  end(): void {
    const step = this.steps.at(-1)
    if (step !== undefined && step.machine === 0) step.machine = (performance.now() - this.#began) / 1000
  }

  async click(target: Locator): Promise<void> {
    this.#did(KLM.think + KLM.point + KLM.click, { clicks: 1 })
    await target.click()
  }

  async type(target: Locator, text: string): Promise<void> {
    this.typed(text)
    await target.fill(text)
  }

  /** A command, or an address. */
  typed(text: string): void {
    this.#did(KLM.think + KLM.hands + KLM.key * text.length, { keys: text.length })
  }

  read(): void {
    this.#did(READ, {})
  }

  #did(seconds: number, { clicks = 0, keys = 0 }: { readonly clicks?: number; readonly keys?: number }): void {
    const step = this.steps.at(-1)
    if (step === undefined) throw new Error('no step has begun')
    step.person += seconds
    step.clicks += clicks
    step.keys += keys
  }
}

export interface NewQuestion {
  readonly asks: string
  readonly fields: readonly string[]
  /** So many of the first field by its size, and the others as one group. */
  readonly top?: number
  /** Only this value of the field. */
  readonly only?: { readonly field: string; readonly value: string }
  readonly form?: 'Chart' | 'Pivot'
  /** The answer, as someone writes it who knows the tables. */
  readonly sql: string
}

const PAID = 'FROM payment p JOIN rental USING (rental_id) JOIN inventory i USING (inventory_id)'
export const TEN: readonly NewQuestion[] = [
  { asks: 'What was paid?', fields: ['Payment Amount'], sql: 'SELECT sum(amount) FROM payment' },
  {
    asks: 'What was paid in each month?',
    fields: ['Payment Month', 'Payment Amount'],
    form: 'Chart',
    sql: "SELECT strftime(payment_date, '%Y-%m'), sum(amount) FROM payment GROUP BY 1",
  },
  {
    asks: 'Which categories earn most?',
    fields: ['Category', 'Payment Amount'],
    form: 'Chart',
    sql: `SELECT c.name, sum(p.amount) ${PAID} JOIN film_category USING (film_id) JOIN category c USING (category_id) GROUP BY 1`,
  },
  {
    asks: 'And in each store?',
    // The measure first: these two dimensions have several ways to each other, and without a measure they do not fit.
    fields: ['Payment Amount', 'Category', 'Store City'],
    form: 'Pivot',
    sql: `SELECT c.name, t.city, sum(p.amount) ${PAID} JOIN film_category USING (film_id) JOIN category c USING (category_id)
      JOIN store s ON s.store_id = i.store_id JOIN address a ON a.address_id = s.address_id JOIN city t USING (city_id) GROUP BY 1, 2`,
  },
  {
    asks: 'What do the five best films earn, and all others?',
    fields: ['Film Title', 'Payment Amount'],
    top: 5,
    sql: `WITH f AS (SELECT f.title AS t, sum(p.amount) AS s ${PAID} JOIN film f USING (film_id) GROUP BY 1),
      r AS (SELECT *, row_number() OVER (ORDER BY s DESC, t) AS n FROM f)
      SELECT CASE WHEN n <= 5 THEN t ELSE 'Others' END, sum(s) FROM r GROUP BY 1`,
  },
  {
    asks: 'How many films has each category?',
    fields: ['Category', 'Film Count'],
    sql: 'SELECT c.name, count(*) FROM film_category JOIN category c USING (category_id) GROUP BY 1',
  },
  {
    asks: 'What does a film of each rating cost to rent and to replace?',
    fields: ['Rating', 'Average Rental Rate', 'Average Replacement Cost'],
    sql: 'SELECT rating::varchar, round(avg(rental_rate), 2), round(avg(replacement_cost), 2) FROM film GROUP BY 1',
  },
  {
    asks: 'How many rentals were there in each month?',
    fields: ['Rental Month', 'Rental Count'],
    sql: "SELECT strftime(rental_date, '%Y-%m'), count(*) FROM rental GROUP BY 1",
  },
  {
    asks: 'In which countries do customers live?',
    fields: ['Customer Country', 'Customer Count'],
    sql: `SELECT co.country, count(*) FROM customer JOIN address USING (address_id) JOIN city USING (city_id)
      JOIN country co USING (country_id) GROUP BY 1`,
  },
  {
    asks: 'What did customers of India pay in each month?',
    fields: ['Payment Month', 'Payment Amount'],
    only: { field: 'Customer Country', value: 'India' },
    sql: `SELECT strftime(p.payment_date, '%Y-%m'), sum(p.amount) FROM payment p JOIN customer c ON c.customer_id = p.customer_id
      JOIN address USING (address_id) JOIN city USING (city_id) JOIN country co USING (country_id)
      WHERE co.country = 'India' GROUP BY 1`,
  },
]

/** The cells of the answer, row by row, and how many rows it has. */
export interface Answered {
  readonly rows: readonly (readonly string[])[]
  readonly count: number
}

/** Asks a question as a person does: search a field, click it, run, read. */
export async function ask(page: Page, person: Person, { asks, fields, top, only, form }: NewQuestion): Promise<Answered> {
  person.begin(asks)
  if ((await page.getByRole('button', { name: 'Clear the question' }).count()) > 0)
    await person.click(page.getByRole('button', { name: 'Clear the question' }))
  const search = page.getByRole('textbox', { name: 'Search fields' })
  for (const field of fields) {
    await person.type(search, field.toLowerCase())
    await person.click(page.getByRole('treeitem', { name: new RegExp(`^${field}, (dimension|measure|metric)`) }).first())
  }
  if (top !== undefined) {
    await person.click(page.getByRole('button', { name: 'All values' }))
    await person.type(page.getByRole('textbox', { name: 'Show the top' }), String(top))
    await page.keyboard.press('Escape')
  }
  if (only !== undefined) await filter(page, person, only)
  await person.click(page.getByRole('button', { name: /^Run/ }))
  await until(page, SETTLED)
  const answered = await read(page)
  if (form !== undefined) {
    await person.click(page.locator('[aria-label="Show as"] label').filter({ hasText: form }))
    await until(page, form === 'Chart' ? "document.querySelector('.chart svg')" : "document.querySelector('.pivot tr.total')")
  }
  person.read()
  person.end()
  return answered
}

async function filter(page: Page, person: Person, { field, value }: { readonly field: string; readonly value: string }) {
  await person.click(page.getByRole('button', { name: 'Add filter' }))
  const fields = page.getByRole('combobox', { name: 'Field to filter by' })
  await person.type(fields, field.toLowerCase())
  await fields.press('Enter')
  await person.type(page.getByLabel('Values').first(), value)
  await person.click(page.getByRole('option', { name: new RegExp(value) }).first())
  await person.click(page.getByRole('button', { name: 'Done' }))
}

const SETTLED =
  "document.querySelector('.stale, [aria-label=Running]') === null && /\\d+ rows?/.test(document.querySelector('.facts')?.innerText)"

/** The rows that are on the screen, as a table. */
async function read(page: Page): Promise<Answered> {
  await page.locator('[aria-label="Show as"] label').filter({ hasText: 'Table' }).click()
  await page.getByRole('gridcell').first().waitFor()
  const rows = await page.evaluate<string[][]>(
    "[...document.querySelectorAll('[role=row]')].map((row) => [...row.querySelectorAll('[role=gridcell]')].map((each) => each.innerText)).filter((row) => row.length > 0 && row.some(Boolean))",
  )
  const facts = await page.evaluate<string>("document.querySelector('.facts').innerText")
  return { rows, count: Number(/^([\d,]+) rows?/.exec(facts)?.[1]?.replaceAll(',', '')) }
}

/** Adds the question that is open to the dashboard, and comes back to it. */
export async function keep(page: Page, person: Person): Promise<void> {
  person.begin('Add it to the dashboard')
  await person.click(page.getByRole('button', { name: 'Save and open' }))
  await person.click(page.getByRole('menuitem', { name: 'Add this question to the dashboard' }))
  await until(page, "document.querySelector('.tile')")
  await person.click(page.getByRole('tab', { name: 'Result', exact: true }))
  person.end()
}

/** Saves what a button gives as a file. */
export async function saveFile(
  page: Page,
  person: Person,
  name: string,
): Promise<{ readonly name: string; readonly text: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), person.click(page.getByRole('button', { name }))])
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
}

/** The steps as a table of Markdown. */
export function tableOf(steps: readonly Step[]): string {
  const row = (name: string, { clicks, keys, person, machine }: Omit<Step, 'name'>) =>
    `| ${name} | ${clicks} | ${keys} | ${person.toFixed(0)} s | ${machine.toFixed(1)} s |`
  const sum = (of: 'clicks' | 'keys' | 'person' | 'machine') => steps.reduce((total, step) => total + step[of], 0)
  const total = { clicks: sum('clicks'), keys: sum('keys'), person: sum('person'), machine: sum('machine') }
  return [
    '| Step | Clicks | Keys | Person | Machine |',
    '|---|--:|--:|--:|--:|',
    ...steps.map((step) => row(step.name, step)),
    row(`**Together: ${((total.person + total.machine) / 60).toFixed(1)} minutes**`, total),
  ].join('\n')
}
