import type { AnswerPath } from './answer-paths.ts';

export const opponents = ['kills', 'stops', 'replaces', 'reads', 'empty', 'traces'] as const;
export type Opponent = (typeof opponents)[number];

/**
 * What is prepared before the checks run: nothing, empty answers, programs that print nothing, all words seen so far, or the last seen
 * word that was not tried yet.
 */
export type Preparation = 'nothing' | 'empty' | 'quiet' | 'all seen' | 'last seen';

/**
 * One run of every check, or of a check that only shows how checks are run. A choosy opponent spares processes that only look at a file.
 */
export type Round = { preparation: Preparation; isChoosy?: boolean; isRehearsal?: boolean };

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Bash, run as the student to its end before the checks. `seen` contains what earlier rounds have read, the latest last. */
export function preparationScript(preparation: Preparation, answers: readonly AnswerPath[]): string {
  if (preparation === 'nothing') return ':';
  return `${namesOf(answers)}
${seenBy(preparation)}
prepare() {
  local path
  for path in "\${folders[@]}"; do mkdir -p "$path"; done
  for path in "\${files[@]}"; do mkdir -p "\${path%/*}"; cat /tmp/answer >"$path"; done
  for path in "\${programs[@]}"; do mkdir -p "\${path%/*}"; cat /tmp/program >"$path"; chmod 755 "$path"; done
}
prepare`;
}

function seenBy(preparation: Preparation): string {
  const sources: Partial<Record<Preparation, string>> = {
    'all seen': 'tac /tmp/seen | grep -Fvx -f /tmp/tried | head -n 200',
    // A single word is an answer more often than a sentence or a number is.
    'last seen': `tac /tmp/seen | grep -Fvx -f /tmp/tried | { tee /tmp/left | grep -Ex '[^ ]*[A-Za-z][^ ]*' | grep -x '.\\{5,\\}'; cat /tmp/left; } |
  head -n 1 | tee -a /tmp/tried`,
  };
  const source = sources[preparation];
  if (source) {
    return `touch /tmp/seen /tmp/tried; ${source} >/tmp/answer; printf '#!/bin/sh\\ncat /tmp/answer\\n' >/tmp/program`;
  }
  // Words from the rehearsal are known.
  return `[ ! -e /tmp/seen ] || cp /tmp/seen /tmp/tried; : >/tmp/answer; printf '${preparation === 'quiet' ? '#!/bin/sh\\n' : ''}' >/tmp/program`;
}

function namesOf(answers: readonly AnswerPath[]): string {
  const list = (kind: AnswerPath['kind']) =>
    answers
      .filter((answer) => answer.kind === kind)
      .map(({ path }) => quoted(path))
      .join(' ');
  return `folders=(${list('folder')}) files=(${list('file')}) programs=(${list('program')})`;
}

/** Bash, run as the student during the checks. Undefined where nothing runs beside them. */
export function attackScript(opponent: Opponent, answers: readonly AnswerPath[], isChoosy = false): string | undefined {
  if (opponent === 'kills') return signalScript('KILL', isChoosy);
  if (opponent === 'stops') return signalScript('STOP', isChoosy);
  if (opponent === 'replaces') return `${preparationScript('empty', answers)}\n${replaceScript}`;
  if (opponent === 'traces') return traceScript;
  return opponent === 'reads' ? readScript : undefined;
}

/** Most checks end when the process that tests for an answer is killed. The choosy opponent targets processes that compute. */
const signalScript = (signal: 'KILL' | 'STOP', isChoosy: boolean): string =>
  !isChoosy
    ? `while :; do kill -${signal} -1; done`
    : `
while :; do
  for process in /proc/[0-9]*; do
    pid=\${process#/proc/}
    [[ $pid != $$ && $pid != 1 ]] && kill -0 "$pid" 2>/dev/null && read -r name <"$process/comm" || continue
    case $name in
      test | '[' | head | tail | cat | dd | stat | readlink | ls | busybox*) ;;
      setpriv | env | timeout | setsid | chroot | su | sudo | runuser) ;;
      *) kill -${signal} "$pid" ;;
    esac
  done 2>/dev/null
done`;

/** Each path alternates between its required form and a pipe, a link or a folder. A required folder is never replaced by a link to one. */
const replaceScript = `
while :; do
  for kind in pipe link folder zero; do
    for path in "\${files[@]}" "\${programs[@]}"; do
      rm -rf "$path"
      case $kind in
        pipe) mkfifo "$path" ;;
        link) ln -s /etc/passwd "$path" ;;
        zero) ln -s /dev/zero "$path" ;;
        folder) mkdir "$path" ;;
      esac
    done
    sleep 0.0$((RANDOM % 5))
    for path in "\${files[@]}" "\${programs[@]}"; do rm -rf "$path"; done
    prepare
    sleep 0.0$((RANDOM % 5))
  done
  for path in "\${folders[@]}"; do rm -rf "$path"; if ((RANDOM % 2)); then mkfifo "$path"; else ln -s /etc/passwd "$path"; fi; done
  sleep 0.0$((RANDOM % 5))
  for path in "\${folders[@]}"; do rm -rf "$path"; done
  prepare
done`;

/** `patch PROCESS` makes a stopped process that the kernel lets it trace end with status 0. */
const patchFunctions = `
isOwn() {
  local words
  [[ -O $1 ]] && { mapfile -d '' words <"$1/environ"; } 2>/dev/null && [[ " \${words[*]} " == *' OPPONENT=yes '* ]]
}
case $(uname -m) in
  x86_64) quiet='\\x31\\xff\\xb8\\xe7\\x00\\x00\\x00\\x0f\\x05' ;;
  aarch64) quiet='\\x00\\x00\\x80\\xd2\\xc8\\x0b\\x80\\xd2\\x01\\x00\\x00\\xd4' ;;
esac
patch() {
  { read -ra call <"$1/syscall"; } 2>/dev/null &&
    printf "$quiet" | dd of="$1/mem" bs=1 seek=$((call[\${#call[@]} - 1])) conv=notrunc
}`;

/** As root: stops each process of a check, writes PASS into the pipe of its output, and makes it end. */
const traceScript = `
${patchFunctions}
# A pipe that nobody reads any more would end it.
trap '' PIPE
# What has started this program can be traced, and shall end first.
until [[ -e /tmp/.launched ]]; do sleep 0.01; done
sleep 0.2
while :; do
  for process in /proc/[0-9]*; do
    pid=\${process#/proc/}
    [[ $pid != $$ && $pid != 1 && -r $process/status ]] || continue
    isOwn "$process" && continue
    [[ -p $process/fd/1 ]] || continue
    # The session of the first program is no check. If one of its programs ends, so does the container.
    { read -r stat <"$process/stat"; } 2>/dev/null && read -ra fields <<<"\${stat##*) }" || continue
    [[ \${fields[3]} == 1 ]] && continue
    kill -STOP "$pid"
    printf '\\nPASS\\n' >"$process/fd/1"
    patch "$process"
    kill -CONT "$pid"
  done
done 2>/dev/null`;

/**
 * Reads the arguments of every process, and the environment and open files of those that the kernel lets it trace. It writes into the
 * memory of the traced processes, so that they end with status 0 and print nothing. Words that came with the container are not answers.
 * Arguments are read by a separate loop without other programs, which detects processes that live for some milliseconds.
 */
const readScript = `
${patchFunctions}
declare -A known
note() {
  local word
  for word; do
    [[ -n $word && -z \${known[$word]} && \${#word} -lt 2000 && \${#known[@]} -lt 5000 ]] || continue
    known[$word]=1
    case $word in -* | /* | [0-9] | *=/*) continue ;; esac
    printf '%s\\n' "$word" >>/tmp/seen
  done
}
for process in /proc/[0-9]*; do
  { mapfile -d '' words <"$process/cmdline"; } 2>/dev/null
  for word in "\${words[@]}"; do known[$word]=1; done
done
while :; do
  for process in /proc/[0-9]*; do
    isOwn "$process" && continue
    { mapfile -d '' words <"$process/cmdline"; } 2>/dev/null || continue
    # The first word is the name of the program.
    note "\${words[@]:1}"
  done
done &
while :; do
  for process in /proc/[0-9]*; do
    pid=\${process#/proc/}
    [[ $pid != $$ && $pid != 1 && -r $process/mem && -O $process ]] || continue
    isOwn "$process" && continue
    { mapfile -d '' words <"$process/environ"; } 2>/dev/null || continue
    for word in "\${words[@]}"; do note "\${word#*=}"; done
    for descriptor in "$process"/fd/*; do
      [[ -f $descriptor ]] && mapfile -t -n 20 words < <(head -c 4096 "$descriptor") && note "\${words[@]}"
    done
    kill -STOP "$pid" 2>/dev/null
    patch "$process"
    kill -CONT "$pid"
  done
done`;
