# Start, stop, reload and supervision of a unit. Sourced by systemctl, after unit-files.bash and processes.bash.
# shellcheck shell=bash disable=SC2154 # unit, unit_name ... are set by unit-files.bash

# start_unit: starts the unit found by find_unit and read_unit. Fails if the start failed.
start_unit() {
  local needed kind code=0
  if is_running; then return 0; fi
  for needed in ${unit[Unit.Requires]-} ${unit[Unit.Wants]-}; do
    if [[ $needed != *.service || " ${UNITS_STARTING-} " == *" $needed "* ]]; then continue; fi
    UNITS_STARTING="${UNITS_STARTING-} $unit_full" "$0" start "$needed" 9>&- 2>/dev/null ||
      [[ " ${unit[Unit.Wants]-} " == *"$needed"* ]] || { log systemctl "Dependency failed: $needed" && return 1; }
  done
  rm -rf "${state_root:?}/$unit_name"
  mkdir -p "$state_root/$unit_name" "$log_root"
  set_state result activating
  set_state since "$EPOCHSECONDS"
  log systemctl "Starting $unit_full - $(setting Unit.Description "$unit_full")..."
  if [[ $unit_name == *.timer ]]; then
    check_timer && start_supervised || code=$?
  elif [[ -z $unit_file ]]; then
    logged "$unit_name" timeout 90 "$init_script" start || code=$?
  else
    kind=$(setting Service.Type simple)
    make_runtime_directories && run_all Service.ExecStartPre || code=$?
    if [[ $code -eq 0 ]]; then
      case $kind in
        oneshot) run_all Service.ExecStart "$(seconds "$(setting Service.TimeoutStartSec)" infinity)" || code=$? ;;
        forking) start_forking || code=$? ;;
        *) start_supervised || code=$? ;;
      esac
    fi
    if [[ $code -eq 0 ]]; then run_all Service.ExecStartPost || code=$?; fi
  fi
  if [[ $code -ne 0 ]]; then
    set_state result exit-code
    log systemctl "Failed to start $unit_full."
    return 1
  fi
  if [[ $(state result) == activating ]]; then
    case ${kind-} in oneshot) set_state result exited ;; *) set_state result success ;; esac
  fi
  set_state since "$EPOCHSECONDS"
  log systemctl "Started $unit_full."
}

make_runtime_directories() {
  local name owner
  owner=$(setting Service.User root)
  for name in ${unit[Service.RuntimeDirectory]-}; do
    install -d -o "$owner" -g "$(id -g "$owner")" -m "$(setting Service.RuntimeDirectoryMode 0755)" "/run/$name" || return
  done
}

# A daemon that forks is identified by its PIDFile, or else by its name.
start_forking() {
  local line pid try
  run_all Service.ExecStart "$(seconds "$(setting Service.TimeoutStartSec)" 90)" || return
  for ((try = 0; try < 200; try++)); do
    if [[ -z $(setting Service.PIDFile) ]]; then
      line=$(tag "$(setting Service.ExecStart)")
      pid=$(pgrep --newest --exact "${line:0:15}") && set_state pid "$pid $(start_time "$pid")"
    fi
    if main_pid >/dev/null; then return 0; fi
    pause 0.05
  done
  log systemctl "$unit_full: no main process after start (PIDFile=$(setting Service.PIDFile))"
  return 1
}

# The main process is a child of a supervisor (this program), which logs its output and restarts it.
start_supervised() {
  local try
  setsid --fork "$0" supervise "$unit_name" 9>&- </dev/null &>/dev/null
  # Long: a busy machine takes its time. Nothing is started twice by waiting.
  for ((try = 0; try < 6000; try++)); do
    if [[ -s $state_root/$unit_name/pid || -s $state_root/$unit_name/finished ]]; then return 0; fi
    pause 0.01
  done
  return 1
}

supervise() {
  local line main code clean starts=() again output
  line=$(setting Service.ExecStart)
  exec {output}> >(log_lines "$(tag "$line")")
  set_state supervisor "$$ $(start_time $$)"
  set -m # each main process leads a process group of its own, which stop ends as a whole
  while true; do
    starts+=("$EPOCHSECONDS")
    if [[ ${#starts[@]} -gt 5 ]]; then starts=("${starts[@]:1}"); fi
    (
      main=$BASHPID # which is another one inside $( )
      set_state pid "$main $(start_time "$main")"
      case $(setting Service.StandardOutput) in
        null) exec &>/dev/null ;;
        append:*) exec &>>"${unit[Service.StandardOutput]##*append:}" ;;
        file:* | truncate:*) exec &>"${unit[Service.StandardOutput]##*:}" ;;
      esac
      execute "$line"
    ) </dev/null >&"$output" 2>&1 {output}>&- &
    main=$!
    wait "$main"
    code=$?
    rm -f "$state_root/$unit_name/pid"
    set_state finished "$code"
    if [[ $(setting Service.KillMode) != process ]]; then kill -TERM -- "-$main" 2>/dev/null; fi
    if [[ -e $state_root/$unit_name/stopping ]]; then break; fi
    clean=''
    case " 0 129 130 141 143 ${unit[Service.SuccessExitStatus]-} " in *" $code "*) clean=yes ;; esac
    log systemctl "$unit_full: Main process exited, $(exit_words "$code")"
    again=''
    case $(setting Service.Restart no) in
      always) again=yes ;;
      on-success) again=$clean ;;
      on-failure) [[ -n $clean ]] || again=yes ;;
      on-abnormal | on-abort) [[ -n $clean ]] || ! is_signal "$code" || again=yes ;;
    esac
    case " ${unit[Service.RestartPreventExitStatus]-} " in *" $code "*) again='' ;; esac
    if [[ -n $again && ${#starts[@]} -eq 5 && $((EPOCHSECONDS - starts[0])) -lt 10 ]]; then
      log systemctl "$unit_full: Start request repeated too quickly."
      set_state result start-limit-hit
      break
    elif [[ -n $again ]]; then
      set_state result activating
      pause "$(seconds "$(setting Service.RestartSec)" 0.1)"
      if [[ -e $state_root/$unit_name/stopping ]]; then break; fi
      log systemctl "$unit_full: Scheduled restart."
      set_state result success
      set_state since "$EPOCHSECONDS"
    else
      if [[ -n $clean ]]; then code=success; elif is_signal "$code"; then code=signal; else code=exit-code; fi
      set_state result "$code"
      set_state since "$EPOCHSECONDS"
      break
    fi
  done
  rm -f "$state_root/$unit_name/supervisor"
}

# is_signal STATUS: whether a process ended by a signal; statuses from 200 on are those of execute.
is_signal() { [[ $1 -gt 128 && $1 -lt 200 ]]; }

exit_words() {
  if is_signal "$1"; then echo "code=killed, status=$(kill -l "$1")"; else echo "code=exited, status=$1"; fi
}

# stop_unit: stops the unit, including one that waits for its restart or was started by its init script.
stop_unit() {
  local main supervisor started try
  mkdir -p "$state_root/$unit_name" "$log_root"
  if [[ $(active_state) == inactive ]]; then return 0; fi
  log systemctl "Stopping $unit_full..."
  : >"$state_root/$unit_name/stopping"
  if main=$(main_pid) || [[ $(state result) == exited ]]; then
    MAINPID=$main run_all Service.ExecStop "$(seconds "$(setting Service.TimeoutStopSec)" 10)" || true
    if [[ -n $main ]]; then end_process "$main"; fi
  elif [[ -n $init_script ]] && is_running; then
    logged "$unit_name" timeout 90 "$init_script" stop || return 1
  fi
  if read -r supervisor started < <(state supervisor); then
    for ((try = 0; try < 100; try++)); do
      if [[ $(start_time "$supervisor") != "$started" ]]; then break; fi
      if [[ $try -eq 50 ]]; then kill -KILL "$supervisor" 2>/dev/null; fi # it waits for a restart
      pause 0.02
    done
  fi
  run_all Service.ExecStopPost || true
  rm -f "$state_root/$unit_name"/{pid,supervisor,stopping,finished}
  set_state result success
  set_state since "$EPOCHSECONDS"
  log systemctl "Stopped $unit_full."
}

# end_process PID: ends a main process, and the process group that it leads, gracefully first.
end_process() {
  local main=$1 target=$1 signal try limit
  signal=$(setting Service.KillSignal SIGTERM)
  limit=$(seconds "$(setting Service.TimeoutStopSec)" 10)
  if [[ $(ps -o pgid= -p "$main") -eq $main ]]; then target=-$main; fi
  case $(setting Service.KillMode control-group) in
    control-group) kill -s "${signal#SIG}" -- "$target" 2>/dev/null ;;
    process | mixed) kill -s "${signal#SIG}" "$main" 2>/dev/null ;;
  esac
  for ((try = 0; try < ${limit%.*} * 50; try++)); do
    if ! start_time "$main" >/dev/null; then break; fi
    pause 0.02
  done
  if [[ $(setting Service.KillMode) != process ]]; then kill -KILL -- "$target" 2>/dev/null; fi
  kill -KILL "$main" 2>/dev/null || true
}

# reload_unit: makes the unit reload its configuration. Returns 2 if the unit does not support it.
reload_unit() {
  local main
  if [[ -n $unit_file ]]; then
    [[ -n ${unit[Service.ExecReload]-} ]] || return 2
    main=$(main_pid)
    MAINPID=$main run_all Service.ExecReload || return 1
  else
    logged "$unit_name" timeout 90 "$init_script" reload || return 1
  fi
  log systemctl "Reloaded $unit_full."
}
