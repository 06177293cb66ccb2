import { refuse } from '../wire/pg-error.js'

/** The settings in a startup message's `options`, which is a command line: `-c name=value`, `--name=value`; a backslash keeps a blank. */
export function parseOptions(line: string): readonly (readonly [name: string, value: string])[] {
  const words = (line.match(/(?:\\.|[^\s\\])+/g) ?? []).map((word) => word.replace(/\\(.)/g, '$1'))
  const settings: (readonly [string, string])[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const given =
      word === '-c' ? words[++at] : word.startsWith('-c') ? word.slice(2) : word.startsWith('--') ? word.slice(2) : undefined
    const equals = given?.indexOf('=') ?? -1
    if (given === undefined || equals <= 0) refuse('42601', `invalid command-line argument for server process: ${word}`)
    // On a command line, dashes mean underscores.
    settings.push([given!.slice(0, equals).replaceAll('-', '_'), given!.slice(equals + 1)])
  }
  return settings
}
