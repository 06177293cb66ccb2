/** Options of a route that the OpenAPI document leaves out. */
export const HIDDEN: { readonly schema: object } = { schema: { hide: true } }
