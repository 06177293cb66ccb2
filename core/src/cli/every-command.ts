import { type CommandEntry, commands } from './commands.js'

/** Every command; the completion, which reads the others, is the last. */
export const everyCommand: Readonly<Record<string, CommandEntry>> = {
  ...commands,
  completion: { usage: 'bash|zsh|fish', does: 'writes the completion of a shell', load: () => import('./completion.js') },
}
