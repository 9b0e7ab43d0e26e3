/** Commands that wait for a person, or end the shell. */
const needsPerson =
  /^\s*(?:sudo\s+)?(?:(?:vi|vim|nano|emacs|less|more|man|top|htop|watch|tmux|screen|ssh|info|exit|logout|reboot|poweroff|shutdown|clear)(?:\s|$)|(?:tail|journalctl|dmesg)\s+(?:\S+\s+)*-[a-zA-Z]*[fFw])/;
/** What a reader types when a program asks. As a command, `yes` never ends. */
const answer = /^\s*(?:yes|y|no|n)\s*$/i;
const hereDocument = /<<-?\s*(['"]?)([A-Za-z_]\w*)\1/;
const prompt = /^\s*[$#] /;

/**
 * A solution of the commands that a text shows, in their order. It is a proposal: nothing is known of what they do. A command that fails does
 * not stop the others.
 * @param hasHistory the check reads the history of the shell, which only terminals write otherwise
 */
export function proposedSolution(
  commands: readonly string[],
  sources: readonly string[],
  { hasHistory = false } = {},
): string | undefined {
  const lines = commands.flatMap((block) => withoutPeople(withoutPrompts(block)));
  if (!lines.some((line) => line.trim() !== '' && !line.startsWith('#'))) return undefined;
  return inHome(`# Proposed: the commands of ${sources.join(', ')}. Review it before you use it.
exec </dev/null
${hasHistory ? 'HISTFILE=~/.bash_history\nset -o history\n' : ''}${lines.join('\n')}
${hasHistory ? 'history -a\n' : ''}exit 0
`);
}

/** As on Killercoda, a script begins in the home folder. */
export const inHome = (script: string): string => `#!/usr/bin/env bash
cd || exit
${script}`;

/** Of a session with prompts only what is typed. */
function withoutPrompts(block: string): string {
  const lines = block.replace(/\n*$/, '').split('\n');
  // A comment looks like the prompt of root.
  if (!lines.some((line) => /^\s*\$ /.test(line))) return lines.join('\n');
  return lines
    .filter((line) => prompt.test(line))
    .map((line) => line.replace(prompt, ''))
    .join('\n');
}

function withoutPeople(block: string): string[] {
  let end: string | undefined;
  return block.split('\n').map((line) => {
    if (end !== undefined) {
      if (line.trim() === end) end = undefined;
      return line;
    }
    end = hereDocument.exec(line)?.[2];
    if (answer.test(line)) return `# Left out, as it is an answer and no command: ${line.trim()}`;
    return needsPerson.test(line) ? `# Left out, as it needs a person: ${line.trim()}` : line;
  });
}
