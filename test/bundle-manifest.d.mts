export const BUNDLE: string
export const IMPORTS: string
