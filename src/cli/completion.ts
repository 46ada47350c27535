import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A command or an option. */
interface Word {
  text: string;
  description: string;
  /** Whether a value follows the option. */
  takesValue?: boolean;
}

/** What may follow a command, which stands here by its words: '', 'brokers', 'brokers create'. */
interface Place {
  command: string;
  words: Word[];
}

/** A script that completes commands and options. It holds them all, so that no key press has to start the program. */
export const completionScript = (program: Command, shell: Shell): string =>
  `# Completion for ${shell}\n${SCRIPTS[shell](program.name(), placesOf(program, []))}`;

function placesOf(command: Command, path: string[]): Place[] {
  const words = [
    ...command.commands.map((each) => ({ text: each.name(), description: each.description() })),
    ...command.options.map(({ long, description, required }) => ({
      text: String(long),
      description,
      takesValue: required,
    })),
    { text: '--help', description: 'show the help' },
  ];
  const below = command.commands.flatMap((each) => placesOf(each, [...path, each.name()]));
  return [{ command: path.join(' '), words }, ...below];
}

/** Each finds the command that stands on the line, options and values skipped, and offers what may follow it. */
const SCRIPTS: Record<Shell, (name: string, places: Place[]) => string> = {
  bash: (name, places) => `_${name}() {
  local command='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$command $word" in
      ${commandsIn(places).map(quoted).join('|')}) command="\${command:+$command }$word" ;;
    esac
  done
  case "$command" in
${places.map(({ command, words }) => `    ${quoted(command)}) words=${quoted(words.map(({ text }) => text).join(' '))} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${name} ${name}
`,
  zsh: (name, places) => `_${name}() {
  local command='' word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$command $word" in
      (${commandsIn(places).map(quoted).join('|')}) command="\${command:+$command }$word" ;;
    esac
  done
  case "$command" in
${places.map(({ command, words }) => `    (${quoted(command)}) found=(${words.map(({ text, description }) => quoted(`${text}:${description}`)).join(' ')}) ;;`).join('\n')}
  esac
  _describe ${name} found || _files
}
compdef _${name} ${name}
`,
  fish: (name, places) => `function __${name}_command
  set -l command ''
  for word in (commandline -opc)[2..-1]
    switch "$command $word"
      case ${commandsIn(places).map(quoted).join(' ')}
        set command (string trim -- "$command $word")
    end
  end
  echo $command
end
${places
  .flatMap(({ command, words }) =>
    words.map(({ text, description, takesValue }) => {
      const word = text.startsWith('--') ? `-l ${text.slice(2)}${takesValue ? ' -r' : ''}` : `-f -a ${text}`;
      const here = `test (__${name}_command) = ${JSON.stringify(command)}`;
      return `complete -c ${name} -n ${quoted(here)} ${word} -d ${quoted(description)}`;
    }),
  )
  .join('\n')}
`,
};

/** The commands as the scripts meet them: each behind the one it belongs to and a space. */
const commandsIn = (places: Place[]): string[] =>
  places.filter(({ command }) => command).map(({ command }) => (command.includes(' ') ? command : ` ${command}`));

/** For all three shells: inside single quotes only these themselves mean something, in fish a backslash too. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '').replaceAll("'", '’')}'`;
