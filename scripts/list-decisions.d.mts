/** The list of decisions with a row for each decision of the pages that it names, by number. */
export function listed(): string
