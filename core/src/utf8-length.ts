const ASCII = /^[\0-\x7f]*$/
const encoder = new TextEncoder()

/** The number of bytes of a text as UTF-8. */
export const utf8Length = (text: string): number => (ASCII.test(text) ? text.length : encoder.encode(text).length)
