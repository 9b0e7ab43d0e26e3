import type { StudentAccount } from '../../../src/database/tables.ts';
import { homeOf } from './images.ts';

const shells = ['bash', 'sh', 'dash', 'ash'];

/** The interpreter of a script, from its first line: the words of the command, and whether the grader provides that program. */
export function interpreterOf(script: string): { words: string[]; isShell: boolean } {
  const words =
    /^#![ \t]*([^\n]*)/
      .exec(script)?.[1]
      ?.trim()
      .split(/[ \t]+/)
      .filter(Boolean) ?? [];
  const isEnv = words[0]?.endsWith('/env') ?? false;
  const [program = 'bash', ...options] = isEnv ? words.slice(words[1] === '-S' ? 2 : 1) : words;
  const name = program.slice(program.lastIndexOf('/') + 1);
  return shells.includes(name) ? { words: [name, ...options], isShell: true } : { words, isShell: false };
}

/**
 * Wraps a Killercoda check in one of ours. The exit status 0 is a PASS and any other a FAIL, however the script ends. Its output and its
 * leftover processes do not affect the verdict. As on Killercoda, it begins in the home folder of the user, and the system's own programs
 * come first in the path.
 * @param script with lines that end in a line feed
 */
export function checkScript(script: string, user: StudentAccount, home = homeOf(user)): string {
  const { words } = interpreterOf(script);
  const [program = '', ...options] = words;
  // Bash and sh are the grader's own, which students cannot change.
  const command = program === 'bash' ? ['"$BASH"'] : shells.includes(program) ? ['"$shell"'] : [quote(program)];
  const mark = delimiterFor(script);
  return `#!/usr/bin/env bash
# A check that was written for Killercoda: its exit status 0 is a PASS, any other a FAIL.
work=$(mktemp -d) || { echo '- the check finds no room for its files in /tmp'; echo FAIL; exit; }
trap 'rm -rf "$work"' EXIT
shell=$(command -v sh)
cat >"$work/verify.sh" <<'${mark}'
${script.endsWith('\n') ? script : `${script}\n`}${mark}
(
  export HOME=${home} PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:$PATH"
  cd "$HOME" || exit
  exec ${[...command, ...options.map(quote)].join(' ')} "$work/verify.sh"
) </dev/null >"$work/output"
status=$?
cat "$work/output"
# The verdict needs a line of its own, also after output that ends within one.
[ -z "$(tail -c 1 "$work/output")" ] || echo
if [ "$status" -eq 0 ]; then echo PASS; else echo FAIL; fi
`;
}

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** A line that does not occur in the script. */
function delimiterFor(script: string): string {
  const lines = new Set(script.split('\n'));
  let mark = 'END_OF_CHECK';
  while (lines.has(mark)) mark += '_';
  return mark;
}

/** The scripts behind the first two of these names run before those behind the others. Katacoda's names are the second of each two. */
export const setUpKeys = ['background', 'courseData', 'foreground', 'code'];

/** A script that prepares the machine on Killercoda. */
export type SetUp = {
  /** Its file in the scenario. */
  path: string;
  script: string;
  /** Where the scenario names it. */
  place: readonly (string | number)[];
};

/** Seconds for all scripts. The limit of a set-up is 60 by default. */
const seconds = 40;

/**
 * Makes one set-up of ours of the set-up scripts of Killercoda, in their order. As there, they begin in the home folder of the user, who
 * owns what they leave there, their exit status does not matter, and one that takes long continues while the student works. Each runs in a
 * subshell, so that it ends only itself. `set -e` has no effect in a subshell with `||` after it.
 */
export const setUpScript = (
  setUps: readonly Pick<SetUp, 'path' | 'script'>[],
  user: StudentAccount,
  home = homeOf(user),
): string =>
  `#!/usr/bin/env bash
# From set-up scripts that were written for Killercoda, where their exit status does not matter.
export HOME=${home}
cd "$HOME" || exit
# Waits for a script, but not for ever: it continues by itself then.
await() { while kill -0 "$1" 2>/dev/null && [ "$SECONDS" -lt ${seconds} ]; do sleep 0.1; done; }
${setUps.map(({ path, script }) => `# ${path}\n(\n${script.replace(/\n*$/, '')}\n) &\nawait $!\n`).join('')}${user === 'root' ? '' : `chown -Rh --reference=${home} ${home}\n`}true
`;
