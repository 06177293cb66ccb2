/** The forms in which the page shows a query, each in its place. */
export const PLACES = {
  result: { title: 'Result', forms: ['results', 'chart', 'pivot'] },
  made: { title: 'How it was made', forms: ['sql', 'query', 'code', 'plan'] },
  dashboard: { title: 'Dashboard', forms: ['dashboard'] },
  model: { title: 'Model', forms: ['model', 'graph'] },
} as const

export type Place = keyof typeof PLACES
/** Links contain these names, so they stay. */
export type Form = (typeof PLACES)[Place]['forms'][number]

export const FORM_TITLES: Readonly<Record<Form, string>> = {
  results: 'Table',
  chart: 'Chart',
  pivot: 'Pivot',
  sql: 'SQL',
  query: 'Query',
  code: 'Code',
  plan: 'Plan',
  dashboard: 'Dashboard',
  model: 'Text',
  graph: 'Graph',
}

export const PLACE_NAMES = Object.keys(PLACES) as readonly Place[]

export const formsOf = (place: Place): readonly Form[] => PLACES[place].forms

export const isForm = (value: unknown): value is Form => typeof value === 'string' && Object.hasOwn(FORM_TITLES, value)

export const placeOf = (form: Form): Place => PLACE_NAMES.find((place) => formsOf(place).includes(form)) ?? 'result'
