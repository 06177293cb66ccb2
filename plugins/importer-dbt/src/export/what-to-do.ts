import type { Exported } from '@grainline/core'

/** What the author can do about a part of a model that a text leaves out, where its own line does not say. */
export function whatToDo([section, , part]: Exported['written'][number]): string {
  if (section === 'dataObjects')
    return OF_OBJECTS[String(part)] ?? 'Create a view with these rows in the database, and use that as the table.'
  return OF_FIELDS[String(section)] ?? 'Say it where the text is used.'
}

const OF_OBJECTS: Readonly<Record<string, string>> = {
  columns: 'Create a view with this column in the database, and use that as the table.',
  joins: 'Join the two in a view of the database, and use that as the table.',
  uniqueKeys: 'Store the computed column in a view of the database.',
}

const OF_FIELDS: Readonly<Record<string, string>> = {
  dimensions: 'Store its value as a column in a view of the database, and show that column.',
  measures: 'Compute it where the text is used, or define it by what the text can say.',
  metrics: 'Compute it where the text is used, or define it by what the text can say.',
  segments: 'Write its conditions in the questions that need it.',
}
