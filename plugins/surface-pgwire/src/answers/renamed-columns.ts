/** Columns of the catalogue that clients made for older servers ask by the name that they had there: https://www.postgresql.org/docs/17/release-17.html */
const RENAMED: Readonly<Record<string, string>> = { daticulocale: 'datlocale', colliculocale: 'colllocale' }

const NAMES = new RegExp(`(?<!['\\w])("?)(${Object.keys(RENAMED).join('|')})\\1(?!['\\w])`, 'g')

/** The statement with the names of today, each as long as the older one, so that places in it stay. */
export const withRenamedColumns = (text: string): string =>
  text.replace(NAMES, (older, quote: string, name: string) => `${quote}${RENAMED[name]}${quote}`.padEnd(older.length))
