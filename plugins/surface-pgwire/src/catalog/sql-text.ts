/** Names and texts as PostgreSQL reads them. */
export const identifier = (name: string): string => `"${name.replaceAll('\0', '').replaceAll('"', '""')}"`
export const literal = (text: string): string => `'${text.replaceAll('\0', '').replaceAll("'", "''")}'`
