import { limitOpenFiles, openFiles } from '../engine/gate.ts';
import { confine } from '../engine/internet.ts';

/** Where the init container sees the volume that the main container mounts at `/.grader`. */
export const graderFolder = '/volume';

/**
 * `prepare internet|none RESOLVERS NETWORKS SIGN`: the init container. Nothing of the image has run yet. It closes the Pod's network
 * with a capability that the main container lacks, proves it, and fills the volume with the grader's tools.
 */
export const prepare = `set -euo pipefail
export PATH=/.grader/bin:/usr/sbin
. /.grader/gate
confine_network() {
${confine}
}
if [[ $1 == internet ]]; then
  [[ $HOST_IP == *:* ]] && HOST_IP=''
  confine_network "$2" "$3 $HOST_IP" "$4"
  has_sign
else
  for folder in /sys/class/net/*; do
    name=\${folder##*/}
    [[ $name == lo ]] || ip link set dev "$name" down || true
  done
  has_only_loopback
fi
cd /.grader
tar -cf - . | tar -xpf - -C ${graderFolder}`;

/**
 * `begin FOLDER PROCESSES COMMAND...`: the first process of the main container. It cannot be killed from inside, collects ended
 * processes, and keeps the image's command running: where that ends, everything else is killed and it starts again, as a stopped
 * container would. SIGUSR2 makes it do so at once. SIGUSR1 halts it: nothing is killed or started until SIGUSR2. Every second it counts the processes. Above the limit, all are killed. It uses only what is built into the shell,
 * because a container without a free process cannot start one.
 * The command is without the capabilities that protect checks (`images/grader/confine.c`).
 */
export const begin = `. /.grader/gate
wait_until is_confined 10
folder=$1 most=$2
shift 2
exec {silence}<> <(:)
halted='' again=''
trap 'exit 0' TERM INT
trap 'halted=yes' USR1
trap "halted='' again=yes" USR2
while :; do
  (
    trap - TERM INT USR1 USR2
    exec {silence}<&-
    cd -- "$folder" 2>/dev/null || cd /
    unset OLDPWD SHLVL HOST_IP
    exec -- /.grader/bin/confine "$@"
  ) &
  command=$!
  while [[ ! $again ]] && kill -0 "$command" 2>/dev/null; do
    read -rt 1 -u "$silence"
    processes=(/proc/[0-9]*)
    ((\${#processes[@]} > most)) && kill -KILL -1
  done
  while [[ $halted ]]; do read -rt 1 -u "$silence"; done
  again=''
  kill -KILL -1 2>/dev/null
  read -rt 1 -u "$silence"
done`;

/** In an exec: ends everything in the container and keeps it so, for what follows in the script. */
export const halt = 'kill -USR1 1\nkill -KILL -1 2>/dev/null';
/** In an exec: everything ends, this exec as well, and the image's command starts again. Its end is the sign that this has happened. */
export const restart = 'kill -USR2 1\nexec {silence}<> <(:)\nread -rt 20 -u "$silence"\nexit 1';
/** The exit code of an exec that was killed. */
export const killed = 137;

/** Before each exec: the limits of its processes, which a Pod cannot have itself. The size of one file is in the environment. */
export const execLimits = `${limitOpenFiles}; ulimit -Hn ${openFiles.hard}; ulimit -c 0; ulimit -f "$FILE_KIB"`;
