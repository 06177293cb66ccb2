/** The nonce that the policy of this response requires for style elements. */
export const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? ''
