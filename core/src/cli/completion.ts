import { type CommandIo, type Flags, readArguments, UsageError } from './command.js'
import { commands } from './commands.js'

export const flags = {} as const satisfies Flags

const SHELLS = ['bash', 'zsh', 'fish'] as const

/** `completion SHELL`: a script that the shell reads, such as `grainline completion bash > /etc/bash_completion.d/grainline`. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { positionals } = readArguments(args, flags)
  if (positionals.length !== 1) throw new UsageError(`completion takes a shell: ${SHELLS.join(', ')}`)
  const shell = SHELLS.find((each) => each === positionals[0])
  if (shell === undefined) throw new UsageError(`completion knows ${SHELLS.join(', ')}, not '${positionals[0]}'`)
  const known = await Promise.all(
    Object.entries(commands).map(async ([name, { load, does }]) => ({ name, does, flags: flagNames((await load()).flags) })),
  )
  const added = Object.entries(io.added ?? {}).map(([name, { does, flags }]) => ({ name, does, flags }))
  io.stdout.write(SCRIPTS[shell]([...known, ...added]))
  return 0
}

interface Known {
  readonly name: string
  readonly does: string
  readonly flags: readonly string[]
}

const flagNames = (of: Flags): string[] => Object.keys(of).map((name) => `--${name}`)

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], (known: readonly Known[]) => string>> = {
  bash: (known) => `_grainline() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${known.map(({ name }) => name).join(' ')}" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${known.map(({ name, flags }) => `    ${name}) words="${flags.join(' ')}" ;;`).join('\n')}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _grainline grainline
`,
  zsh: (known) => `#compdef grainline
_grainline() {
  if (( CURRENT == 2 )); then
    local -a names=(${known.map(({ name, does }) => `'${name}:${quoted(does)}'`).join(' ')})
    _describe command names
    return
  fi
  local -a known
  case "$words[2]" in
${known.map(({ name, flags }) => `    ${name}) known=(${flags.join(' ')}) ;;`).join('\n')}
  esac
  if [[ "$PREFIX" == -* ]]; then compadd -- $known; else _files; fi
}
compdef _grainline grainline
`,
  fish: (known) =>
    known
      .flatMap(({ name, does, flags }) => [
        `complete -c grainline -n __fish_use_subcommand -a ${name} -d '${quoted(does)}'`,
        ...flags.map((flag) => `complete -c grainline -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}`),
      ])
      .join('\n')
      .concat('\n'),
}

const quoted = (text: string): string => text.replace(/'/g, "'\\''")
