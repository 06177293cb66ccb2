/** Loads the page again without its question, so that nothing of the person before is left in it. */
export const startAnew = (): void => location.replace(location.pathname + location.search)
