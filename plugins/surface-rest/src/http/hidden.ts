/** A route that the OpenAPI document does not have. */
export const HIDDEN: { readonly schema: object } = { schema: { hide: true } }
