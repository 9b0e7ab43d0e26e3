import type { StudentAccount } from '../../../src/database/tables.ts';
import { inHomeOf } from './images.ts';
import { codeBlocks, type Read, withoutMarks } from './markdown.ts';
import type { JsonFile, ScenarioFile } from './scenario-file.ts';

const commandLanguages = ['bash', 'sh', 'shell', 'console', 'shell-session', 'zsh'];
const shellLanguages = ['', 'plain', 'text', ...commandLanguages];

type Place = readonly (string | number)[];
type Solution = { script: string; isProposed: boolean };

export type SolutionParts = {
  /** The solution that the step names. */
  given: { text: string; isScript: boolean } | '' | undefined;
  /** The solution in the text of the step. */
  inText: string;
  /** The check. */
  verify: string;
};

/** Finds the solutions of a scenario's tasks, in the order of its steps. */
export class Solutions {
  readonly #file: JsonFile<typeof ScenarioFile>;
  readonly #structure: Read;
  readonly #user: StudentAccount;
  /** Commands of the steps since the last check, which readers of the next step have run. */
  #pending: { blocks: string[]; sources: string[] } = { blocks: [], sources: [] };

  constructor(file: JsonFile<typeof ScenarioFile>, structure: Read, user: StudentAccount) {
    this.#user = user;
    this.#file = file;
    this.#structure = structure;
  }

  /** Remembers the commands of a text: those that run with a click or, without any, its code blocks in a shell language. */
  keep(marked: readonly string[], structure: Awaited<ReturnType<Read>>, path: string): void {
    const shown = codeBlocks(structure).filter(({ language }) => commandLanguages.includes(language));
    const blocks = marked.length > 0 ? marked : shown.map(({ code }) => code);
    if (blocks.length === 0) return;
    this.#pending.blocks.push(...blocks);
    this.#pending.sources.push(path);
  }

  /** The solution of a task: its own, or one that is proposed from the commands of the texts since the task before. */
  async take(place: Place, { given, inText, verify }: SolutionParts): Promise<Solution | undefined> {
    const own = given ? await this.#own(given, [...place, 'solution']) : await this.#inText(inText, place);
    const solution = own ?? this.#propose(place, verify);
    this.#pending = { blocks: [], sources: [] };
    return solution;
  }

  async #own({ text, isScript }: { text: string; isScript: boolean }, place: Place): Promise<Solution | undefined> {
    if (isScript && text.trim()) return { script: inHome(inHomeOf(this.#user, text)), isProposed: false };
    return await this.#ofText(text, place, { source: 'the solution of the step', remains: '' });
  }

  async #inText(text: string, place: Place): Promise<Solution | undefined> {
    const remains = ' It stays in the lesson.';
    return await this.#ofText(text, [...place, 'text'], { source: 'the solution in the text', remains });
  }

  /** One that has several code blocks is proposed. */
  async #ofText(
    given: string,
    place: Place,
    { source, remains }: { source: string; remains: string },
  ): Promise<Solution | undefined> {
    if (!given.trim()) return undefined;
    const { text } = await withoutMarks(inHomeOf(this.#user, given), this.#structure);
    const blocks = codeBlocks(await this.#structure(text));
    const codes = blocks.filter(({ language }) => shellLanguages.includes(language)).map(({ code }) => code);
    const [only] = codes;
    if (blocks.length === 1 && only?.trim()) return { script: inHome(only), isProposed: false };
    const script = proposedSolution(codes, [source]);
    if (script === undefined) {
      this.#file.lose(place, `the solution is not converted: it has no shell code.${remains}`);
      return undefined;
    }
    const message = `the solution has ${codes.length} code blocks, which are proposed one after another: review it`;
    this.#file.change(place, message);
    return { script, isProposed: true };
  }

  #propose(place: Place, verify: string): Solution | undefined {
    const { blocks, sources } = this.#pending;
    const script = proposedSolution(blocks, sources, { hasHistory: verify.includes('bash_history') });
    if (script === undefined) {
      this.#file.lose([...place, 'verify'], 'the task has no solution: its text shows no commands');
      return undefined;
    }
    const message = `the solution is proposed from the commands of ${sources.join(', ')}: review it`;
    this.#file.change([...place, 'text'], message);
    return { script, isProposed: true };
  }
}

/** Commands that wait for a person, or end the shell. */
const needsPerson =
  /^\s*(?:sudo\s+)?(?:(?:vi|vim|nano|emacs|less|more|man|top|htop|watch|tmux|screen|ssh|info|exit|logout|reboot|poweroff|shutdown|clear)(?:\s|$)|(?:tail|journalctl|dmesg)\s+(?:\S+\s+)*-[a-zA-Z]*[fFw])/;
/** What a reader types when a program asks. As a command, `yes` never ends. */
const answer = /^\s*(?:yes|y|no|n)\s*$/i;
const hereDocument = /<<-?\s*(['"]?)([A-Za-z_]\w*)\1/;
const shellPrompt = /^\s*[$#] /;

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
const inHome = (script: string): string => `#!/usr/bin/env bash
cd || exit
${script}`;

/** Of a session with prompts only what is typed. */
function withoutPrompts(block: string): string {
  const lines = block.replace(/\n*$/, '').split('\n');
  // A comment looks like the prompt of root.
  if (!lines.some((line) => /^\s*\$ /.test(line))) return lines.join('\n');
  return lines
    .filter((line) => shellPrompt.test(line))
    .map((line) => line.replace(shellPrompt, ''))
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
