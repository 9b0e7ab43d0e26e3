# Starting, watching and stopping the processes of a unit. Sourced by systemctl, after unit-files.bash.
# A unit's state is in the folder state_root/ID: pid and start time of its main process, since, result, finished (how
# the main process ended), stopping (it is being stopped on purpose: no restart), supervisor (started by one of ours).
# shellcheck shell=bash disable=SC2154 # unit, unit_name ... are set by unit-files.bash

state() { cat "$state_root/$unit_name/$1" 2>/dev/null; }
set_state() { printf '%s\n' "$2" >"$state_root/$unit_name/$1"; }

# log TAG MESSAGE: appends a line to the unit's log, as journalctl shows it.
log() { printf '%(%b %d %H:%M:%S)T %s %s: %s\n' -1 "$HOSTNAME" "$1" "$2" >>"$log_root/$unit_name.log"; }

# log_lines TAG: logs what it reads, under the id of the main process while there is one.
log_lines() {
  local line pid='' read_pid
  while IFS= read -r line || [[ -n $line ]]; do
    if read -r read_pid _ 2>/dev/null <"$state_root/$unit_name/pid"; then pid="[$read_pid]"; fi
    log "$1$pid" "$line"
  done
}

# start_time PID: the clock tick at which a process started, which distinguishes it from a later one with the same id.
start_time() {
  local stat
  read -r stat 2>/dev/null <"/proc/$1/stat" || return 1
  stat=${stat##*) }
  [[ $stat != Z* ]] || return 1
  read -ra stat <<<"$stat"
  printf '%s\n' "${stat[19]}"
}

# main_pid: prints the id of the main process while it runs.
main_pid() {
  local pid started file
  file=$(setting Service.PIDFile)
  if [[ -n $file && $(setting Service.Type) == forking ]]; then
    [[ $file == /* ]] || file=/run/$file
    read -r pid 2>/dev/null <"$file" && [[ $pid =~ ^[0-9]+$ ]] && start_time "$pid" >/dev/null && echo "$pid"
  else
    read -r pid started < <(state pid) && [[ $(start_time "$pid") == "$started" ]] && echo "$pid"
  fi
}

# is_running: whether the unit is active, including when its init script started it.
is_running() {
  if main_pid >/dev/null; then return 0; fi
  if [[ $(setting Service.RemainAfterExit) =~ ^(yes|true|on|1)$ && $(state result) == exited ]]; then return 0; fi
  [[ -n $init_script ]] && timeout 10 "$init_script" status </dev/null &>/dev/null
}

# active_state: prints active, inactive, failed or activating.
active_state() {
  if is_running; then
    echo active
  else
    case $(state result) in
      '' | success | exited) echo inactive ;;
      activating) echo activating ;;
      *) echo failed ;;
    esac
  fi
}

# words LINE: splits a line into words, quotes and backslashes undone, each ended by a NUL byte.
words() { [[ -z ${1//[[:space:]]/} ]] || xargs printf '%s\0' <<<"$1"; }

# specifiers TEXT: prints the text with systemd's %-specifiers replaced.
specifiers() {
  local text=${1//%%/$'\001'} instance=''
  if [[ $unit_name == *@* ]]; then instance=${unit_name#*@}; fi
  text=${text//%n/$unit_full} text=${text//%N/$unit_name} text=${text//%p/${unit_name%%@*}}
  text=${text//%i/$instance} text=${text//%I/$instance} text=${text//%H/$HOSTNAME} text=${text//%t//run}
  printf '%s\n' "${text//$'\001'/%}"
}

# unit_environment: prints the environment of the unit's processes, each variable ended by a NUL byte.
unit_environment() {
  local line file
  while IFS= read -r line; do words "$(specifiers "$line")"; done <<<"${unit[Service.Environment]-}"
  while IFS= read -r file; do
    file=$(specifiers "${file#-}")
    if [[ -r $file ]]; then
      sed -n 's/^[[:space:]]*//; /^[#;]/d; /=/p' "$file" | while IFS= read -r line; do
        printf '%s=%s\0' "${line%%=*}" "$(words "${line#*=}" | tr '\0' ' ' | sed 's/ $//')"
      done
    fi
  done <<<"${unit[Service.EnvironmentFile]-}"
}

# seconds TIME [DEFAULT]: a time span of a unit file (5, 5s, 200ms, 1h 30min, infinity) in seconds; 0 is infinity. Fails for
# anything else.
seconds() {
  local rest=${1:-${2-0}} total=0 factor fraction
  if [[ $rest == infinity ]]; then echo 0 && return; fi
  while [[ $rest =~ ^[[:space:]]*([0-9]+)(\.([0-9]+))?[[:space:]]*([a-zA-Z]*)(.*)$ ]]; do
    rest=${BASH_REMATCH[5]} fraction=${BASH_REMATCH[3]}000
    case ${BASH_REMATCH[4]} in
      us | usec) factor=0 ;;
      ms | msec) factor=1 ;;
      '' | s | sec | second | seconds) factor=1000 ;;
      m | min | minute | minutes) factor=60000 ;;
      h | hr | hour | hours) factor=3600000 ;;
      d | day | days) factor=86400000 ;;
      w | week | weeks) factor=604800000 ;;
      M | month | months) factor=2629800000 ;;
      y | year | years) factor=31557600000 ;;
      *) return 1 ;;
    esac
    total=$((total + 10#${BASH_REMATCH[1]} * factor + 10#${fraction:0:3} * factor / 1000))
  done
  if [[ -n ${rest//[[:space:]]/} ]]; then return 1; fi
  if ((total % 1000)); then printf '%d.%03d\n' $((total / 1000)) $((total % 1000)); else echo $((total / 1000)); fi
}

# execute LINE [SECONDS]: replaces this process with the command LINE (the value of an Exec setting), with an optional
# timeout. The exit codes are those of systemd.
execute() {
  local line=${1#[-@:+!]} user group folder home argv=() word raw variable environment=() as=() within=()
  if [[ -n ${2-} ]]; then within=(timeout --kill-after=5 "$2"); fi
  mapfile -d '' raw < <(words "$(specifiers "$line")")
  environment=(PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG="${LANG:-C.UTF-8}")
  user=$(setting Service.User) group=$(setting Service.Group)
  if [[ -n $user && $1 != [+!]* ]]; then
    home=$(getent passwd "$user" | cut -d : -f 6) || { echo "Failed to determine credentials of $user" >&2 && exit 217; }
    as=(setpriv --reuid="$user" --regid="${group:-$(id -g "$user")}" --init-groups --)
    environment+=(HOME="$home" USER="$user" LOGNAME="$user" SHELL=/bin/sh)
  fi
  mapfile -d '' -O ${#environment[@]} environment < <(unit_environment)
  if [[ -n ${MAINPID-} ]]; then environment+=(MAINPID="$MAINPID"); fi
  # ${NAME} anywhere is replaced as it is; $NAME as a word of its own is split into words
  local -A value=()
  for word in "${environment[@]}"; do value[${word%%=*}]=${word#*=}; done
  for word in "${raw[@]}"; do
    word=${word//\$\$/$'\001'}
    if [[ $word =~ ^\$([A-Za-z_][A-Za-z0-9_]*)$ ]]; then
      while IFS= read -r -d '' variable; do argv+=("$variable"); done < <(words "${value[${BASH_REMATCH[1]}]-}")
      continue
    fi
    while [[ $word =~ \$\{([A-Za-z_][A-Za-z0-9_]*)\} ]]; do
      word=${word//"${BASH_REMATCH[0]}"/"${value[${BASH_REMATCH[1]}]-}"}
    done
    argv+=("${word//$'\001'/\$}")
  done
  folder=$(setting Service.WorkingDirectory /)
  if [[ $folder == '~' ]]; then folder=${home:-/root}; fi
  cd "${folder#-}" 2>/dev/null || [[ $folder == -* ]] || { echo "Changing to $folder failed" >&2 && exit 200; }
  umask "$(setting Service.UMask 0022)"
  type -P "${argv[0]-}" >/dev/null || { echo "Failed to execute ${argv[0]-}: No such file or directory" >&2 && exit 203; }
  exec env -i "${environment[@]}" "${within[@]}" "${as[@]}" "${argv[@]}"
}

# tag LINE: the name of the program in an Exec setting, which its output is logged under.
tag() {
  local first
  IFS= read -r -d '' first < <(words "${1#[-@:+!]}")
  printf '%s\n' "${first##*/}"
}

# logged TAG COMMAND...: runs a command and logs its output, which a daemon left behind may go on writing to. The reader
# is no child of the command, and holds nothing of systemctl's caller. File descriptor 9 is systemctl's lock.
logged() {
  local code output reader try
  exec {output}> >(exec 9>&- &>/dev/null && trap '' HUP && log_lines "$1")
  reader=$!
  "${@:2}" 9>&- </dev/null >&"$output" 2>&1 {output}>&-
  code=$?
  exec {output}>&-
  for ((try = 0; try < 20; try++)); do
    kill -0 "$reader" 2>/dev/null || break # all of it is in the log
    pause 0.01
  done
  return "$code"
}

# pause SECONDS: sleeps without starting a process.
pause() { read -rt "$1" <> <(:) || true; }

in_subshell() { ("$@"); }

# run_all KEY [SECONDS]: runs the lines of an Exec setting one after the other, up to the first that fails (`-`: it
# may fail).
run_all() {
  local line code
  while IFS= read -r line; do
    if [[ -z $line ]]; then continue; fi
    logged "$(tag "$line")" in_subshell execute "$line" "${2:-90}"
    code=$?
    if [[ $code -ne 0 && $line != -* ]]; then
      log systemctl "$unit_full: ${1#Service.} failed, code=exited, status=$code"
      return "$code"
    fi
  done <<<"${unit[$1]-}"
}
