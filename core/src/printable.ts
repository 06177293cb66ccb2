/** Characters that control a terminal, reverse the order of letters, or are invisible. */
const COMMANDS = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/gu

/** A line in which such characters are shown by their number: values and names come from others, and a terminal would obey them. */
export const printable = (line: string): string => line.replace(COMMANDS, (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`)
