# Changes of units are jobs of one server, as systemd makes them: what it starts belongs to the machine, not to whoever asked
# for it. A check of the platform, for one, has all that it started killed when it ends. Sourced by systemctl, after lifecycle.bash.
# shellcheck shell=bash disable=SC2154 # unit_name, state_root ... are set by unit-files.bash
readonly jobs=$state_root/.jobs

# end_boot: says that the entry point has cleared /run, in which the units' state is.
end_boot() { mkdir -p "$state_root" && start_time 1 >"$state_root/.boot"; }

# await_boot: waits while the entry point of this start of the machine clears /run, and fails after a minute. An image that is being
# built has no entry point.
await_boot() {
  local command try started
  command=$(tr '\0' ' ' </proc/1/cmdline)
  [[ $command == */entrypoint* ]] || return 0
  started=$(start_time 1)
  for ((try = 0; try < 3000; try++)); do
    if [[ $(cat "$state_root/.boot" 2>/dev/null) == "$started" ]]; then return 0; fi
    pause 0.02
  done
  return 1
}

# jobs_served: whether the server runs.
jobs_served() {
  local pid started
  read -r pid started 2>/dev/null <"$jobs/server" && [[ $(start_time "$pid") == "$started" ]]
}

# begin_serving: starts the server, unless it runs.
begin_serving() {
  local try
  if jobs_served; then return 0; fi
  setsid --fork "$0" jobs </dev/null &>/dev/null
  for ((try = 0; try < 500; try++)); do
    if jobs_served; then return 0; fi
    pause 0.01
  done
}

# serve_jobs: reads lines `FOLDER VERB UNIT`, and runs each job beside the others. It writes to files of the folder.
serve_jobs() {
  local folder verb id requests
  rm -rf "$jobs" && mkdir -p -m 700 "$jobs" && mkfifo -m 600 "$jobs/requests" || return
  exec {requests}<>"$jobs/requests"
  printf '%s\n' "$$ $(start_time $$)" >"$jobs/server"
  while read -r -u "$requests" folder verb id; do
    [[ -p $folder/code ]] || continue
    (
      exec {requests}<&- </dev/null >"$folder/output" 2>"$folder/errors"
      UNITS_JOB=yes "$0" job "$verb" "$id"
      code=$?
      [[ ! -p $folder/code ]] || echo "$code" 1<>"$folder/code"
    ) &
  done
}

# have_changed VERB: has the server change the unit. Without a server, and within a job of it, it is done here.
have_changed() {
  local folder code='' part='' reply
  if [[ -n ${UNITS_JOB-} ]] || ! jobs_served || ! folder=$(mktemp -d "$jobs/job.XXXXXX"); then
    change "$1"
    return
  fi
  # shellcheck disable=SC2064 # the folder of now
  trap "rm -rf '$folder'" EXIT
  mkfifo -m 600 "$folder/code" && exec {reply}<>"$folder/code" || return
  printf '%s\n' "$folder $1 $unit_full" 1<>"$jobs/requests"
  until read -rt 1 -u "$reply" part; do
    # The second may be over within the line.
    code+=$part
    # A server that was started since knows nothing of this job, and has removed its folder.
    if ! jobs_served || [[ ! -p $folder/code ]]; then part=1 && break; fi
  done
  code+=$part
  exec {reply}<&-
  cat "$folder/output" 2>/dev/null
  cat "$folder/errors" >&2 2>/dev/null
  rm -rf "$folder"
  return "$code"
}
