const scripts = new Set(['bash', 'sh', 'shell', 'zsh']);
const transcripts = new Set(['console', 'shellsession', 'shell-session', 'terminal']);

/** `$ `, or `user@host:~$ `. The administrator's prompt ends with `#`. */
const userPrompt = /^(?:\S+@\S+\s*)?\$ /;
const rootPrompt = /^(?:\S+@\S+\s*)?# /;
const continuation = /^> ?/;

/**
 * The commands that a student would type to run a block of code. A script is used unchanged. In a transcript, these are the lines after a
 * prompt, with their continuation lines. Undefined where there is nothing to run.
 */
export function commandsOf(code: string, language: string): string | undefined {
  if (scripts.has(language)) return code.trim() || undefined;
  if (!transcripts.has(language)) return undefined;
  const lines = code.split('\n');
  // Where an unprivileged user types, a line that begins with `#` is a file's content.
  const prompt = lines.some((line) => userPrompt.test(line)) ? userPrompt : rootPrompt;
  const commands: string[] = [];
  let isCommand = false;
  let isOpen = false;
  for (const line of lines) {
    if (prompt.test(line)) {
      commands.push(line.replace(prompt, ''));
      isCommand = true;
    } else if (isCommand && continuation.test(line)) {
      commands.push(line.replace(continuation, ''));
    } else if (isCommand && isOpen) {
      commands.push(line);
    } else {
      isCommand = false;
    }
    isOpen = isCommand && line.endsWith('\\');
  }
  return commands.length > 0 ? commands.join('\n') : undefined;
}
