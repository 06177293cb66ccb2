/** The kinds of values that DAX tells apart. */
export type Kind = 'number' | 'text' | 'boolean' | 'time'
