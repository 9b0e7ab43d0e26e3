# Timers: when they elapse, and what they start. Sourced by systemctl, after lifecycle.bash.
# A timer is a process that sleeps until it elapses. Its state has next and last, in seconds since 1970.
# shellcheck shell=bash disable=SC2154 # unit, unit_name ... are set by unit-files.bash

readonly week_days=(x Mon Tue Wed Thu Fri Sat Sun)

# timer_target: prints the unit that the timer starts.
timer_target() { setting Timer.Unit "${unit_name%.timer}.service"; }

# timestamp SECONDS: prints a time as systemd does, or n/a for none.
timestamp() { if [[ -n $1 ]]; then printf '%(%a %Y-%m-%d %H:%M:%S %Z)T\n' "$1"; else echo n/a; fi; }

# span SECONDS: prints a length of time in its two largest units.
span() {
  local left=$1 text='' words=0 name
  ((left > 0)) || left=0
  for name in 86400:d 3600:h 60:min 1:s; do
    if ((left >= ${name%:*} && words < 2)); then
      text+="${text:+ }$((left / ${name%:*}))${name#*:}"
      words=$((words + 1))
    fi
    left=$((left % ${name%:*}))
  done
  printf '%s\n' "${text:-0s}"
}

# check_timer: fails if the timer has no time at which it elapses, or nothing to start.
check_timer() {
  local key line count=0 target
  for key in OnActiveSec OnBootSec OnStartupSec OnUnitActiveSec OnUnitInactiveSec OnCalendar; do
    while IFS= read -r line; do
      if [[ -z $line ]]; then continue; fi
      if if [[ $key == OnCalendar ]]; then calendar "$line" >/dev/null; else seconds "$line" >/dev/null; fi; then
        count=$((count + 1))
      else
        log systemctl "$unit_full: Failed to parse $key=$line, ignoring it."
      fi
    done <<<"${unit[Timer.$key]-}"
  done
  if ((count == 0)); then
    log systemctl "$unit_full: the timer has no value that can be used. Refusing."
    echo "Failed to start $unit_full: Unit $unit_full has a bad unit file setting." >&2
    return 1
  fi
  target=$(timer_target)
  if ! (id=$(unit_id "$target") && find_unit "$id"); then
    log systemctl "$unit_full: Refusing to start, unit $target to trigger not loaded."
    echo "Failed to start $unit_full: Unit $target not found." >&2
    return 1
  fi
}

# run_timer: waits for each time at which the timer elapses, and starts its unit then. It runs until the timer is stopped.
run_timer() {
  local begin=${EPOCHREALTIME%[.,]*} last='' ended='' next target
  target=$(timer_target)
  if (find_unit "$(unit_id "$target")" && read_unit && is_running); then last=$begin ended=$begin; fi
  set_state next "$(next_elapse "$begin" "$last" "$ended")"
  set_state pid "$$ $(start_time $$)"
  while next=$(state next) && [[ -n $next ]]; do
    sleep_until "$next"
    last=${EPOCHREALTIME%[.,]*}
    set_state last "$last"
    log systemctl "$unit_full: triggers $target"
    # In a session of its own: it continues when the timer is stopped.
    setsid --wait "$0" start "$target" </dev/null &>/dev/null
    ended=${EPOCHREALTIME%[.,]*}
    set_state next "$(next_elapse "$begin" "$last" "$ended")"
  done
  # An elapsed timer stays active, unless it is one of systemd-run.
  while [[ $(setting Timer.RemainAfterElapse yes) =~ ^(yes|true|on|1)$ ]]; do pause 86400; done
  rm -f "$state_root/$unit_name/pid"
}

sleep_until() {
  local moment left
  while moment=${EPOCHREALTIME/[.,]/} && left=$(($1 * 1000000 - moment)) && ((left > 0)); do
    pause "$((left / 1000000)).$(printf %06d $((left % 1000000)))"
  done
}

# next_elapse BEGIN LAST ENDED: prints when the timer elapses next. It became active at BEGIN, last started its unit at LAST
# (empty: not yet), and that was done at ENDED. Nothing if it does not elapse any more.
next_elapse() {
  local begin=$1 last=$2 ended=$3 first='' line boot
  # EPOCHSECONDS can be late, by which the timer would elapse twice.
  local clock=${EPOCHREALTIME%[.,]*}
  boot=$((clock - $(ps -o etimes= -p 1)))
  consider() {
    local at=$1
    if ((at < clock)); then at=$clock; fi
    if [[ -z $first ]] || ((at < first)); then first=$at; fi
  }
  # each KEY BASE: considers the settings of a key, which count from BASE; `once`: those that are not over.
  each() {
    local span
    while IFS= read -r line; do
      if [[ -z $line || -z $2 ]] || ! span=$(seconds "$line"); then continue; fi
      span=${span%.*}
      if [[ ${3-} == once && -n $last ]] && (($2 + span <= last)); then continue; fi
      # A timer that elapses all the time would only use up the processor.
      if [[ ${3-} != once ]] && ((span < 1)); then span=1; fi
      consider $(($2 + span))
    done <<<"${unit[Timer.$1]-}"
  }
  each OnActiveSec "$begin" once
  each OnBootSec "$boot" once
  each OnStartupSec "$boot" once
  each OnUnitActiveSec "$last"
  each OnUnitInactiveSec "$ended"
  while IFS= read -r line; do
    if [[ -n $line ]] && line=$(calendar "$line" "$clock") && [[ -n $line ]]; then consider "$line"; fi
  done <<<"${unit[Timer.OnCalendar]-}"
  printf '%s\n' "$first"
}

# is_list TEXT [..]: whether it is the part of a calendar expression: * or numbers, ranges and steps, with commas.
is_list() {
  local part
  for part; do [[ $part =~ ^(\*|[0-9]+(\.\.[0-9]+)?)(/[1-9][0-9]*)?(,(\*|[0-9]+(\.\.[0-9]+)?)(/[1-9][0-9]*)?)*$ ]] || return; done
}

# is_in NUMBER LIST FIRST: whether a part of a calendar expression has the number. Steps of * count from FIRST.
is_in() {
  local item items from to step
  IFS=, read -ra items <<<"$2"
  for item in "${items[@]}"; do
    step=1 to=''
    if [[ $item == */* ]]; then step=${item#*/} item=${item%/*} to=9999; fi
    case $item in
      '*') from=$3 to=9999 ;;
      *..*) from=${item%..*} to=${item#*..} ;;
      *) from=$item to=${to:-$item} ;;
    esac
    if ((10#$1 >= 10#$from && 10#$1 <= 10#$to && (10#$1 - 10#$from) % step == 0)); then return 0; fi
  done
  return 1
}

# days_of TEXT: prints the numbers (1: Monday) of a list of days such as Mon..Fri,Sun.
days_of() {
  local part from to number out=''
  number_of() {
    local number name=${1,,}
    for number in 1 2 3 4 5 6 7; do
      if [[ $name == "${week_days[number],,}"* && "monday tuesday wednesday thursday friday saturday sunday" == *"$name"* ]]; then echo "$number" && return; fi
    done
    return 1
  }
  for part in ${1//,/ }; do
    from=$(number_of "${part%%[.-]*}") && to=$(number_of "${part##*[.-]}") || return 1
    for ((number = from; ; number = number % 7 + 1)); do
      out+="${out:+,}$number"
      if ((number == to)); then break; fi
    done
  done
  [[ -n $out ]] && printf '%s\n' "$out"
}

# calendar EXPRESSION [AFTER]: prints the first time after AFTER (now) that an expression of OnCalendar= means; nothing if there
# is none within ten years. Fails for what it does not understand. Times are those of the machine, without changes to summer time.
calendar() {
  local words word days='*' date='*-*-*' time='' parts hours minutes seconds year month day number
  local after=${2:-$EPOCHSECONDS} midnight moment offset of_day hour minute second
  # What of the calendar is meant, looked up for each of 3,653 days: a name for each number that is.
  local -A is_day=() is_month=() is_week_day=() is_year=()
  case ${1,,} in
    minutely) time='*:*:00' ;;
    hourly) time='*:00:00' ;;
    daily) time='00:00:00' ;;
    weekly) days=1 time='00:00:00' ;;
    monthly) date='*-*-01' time='00:00:00' ;;
    quarterly) date='*-01,04,07,10-01' time='00:00:00' ;;
    semiannually | semi-annually | biannually | bi-annually) date='*-01,07-01' time='00:00:00' ;;
    yearly | annually | anually) date='*-01-01' time='00:00:00' ;;
    *)
      read -ra words <<<"$1"
      if [[ ${#words[@]} -gt 1 && ${words[-1]} == UTC ]]; then unset 'words[-1]'; fi
      if [[ ${words[0]-} =~ ^[A-Za-z] ]]; then days=$(days_of "${words[0]}") || return 1; words=("${words[@]:1}"); fi
      for word in "${words[@]}"; do
        if [[ $word == *:* && -z $time ]]; then time=$word; elif [[ $word == *-* && -z $time ]]; then date=$word; else return 1; fi
      done
      ;;
  esac
  IFS=: read -ra parts <<<"${time:-00:00:00}"
  if [[ ${#parts[@]} -lt 2 || ${#parts[@]} -gt 3 ]]; then return 1; fi
  hours=${parts[0]} minutes=${parts[1]} seconds=${parts[2]-00}
  IFS=- read -ra parts <<<"$date"
  if [[ ${#parts[@]} -eq 2 ]]; then parts=('*' "${parts[@]}"); fi
  if [[ ${#parts[@]} -ne 3 ]]; then return 1; fi
  is_list "$hours" "$minutes" "$seconds" "${parts[@]}" "$days" || return 1
  printf -v moment '%(%H %M %S)T' "$after"
  read -r hour minute second <<<"$moment"
  of_day=$((10#$hour * 3600 + 10#$minute * 60 + 10#$second))
  midnight=$((after - of_day))
  printf -v year '%(%Y)T' "$after"
  for number in {01..31}; do if is_in "$number" "${parts[2]}" 1; then is_day[$number]=yes; fi; done
  for number in {01..12}; do if is_in "$number" "${parts[1]}" 1; then is_month[$number]=yes; fi; done
  for number in {1..7}; do if is_in "$number" "$days" 1; then is_week_day[$number]=yes; fi; done
  for ((number = year; number <= year + 10; number++)); do if is_in "$number" "${parts[0]}" 1970; then is_year[$number]=yes; fi; done
  for ((offset = 0; offset < 3653; offset++)); do
    printf -v moment '%(%Y %m %d %u)T' $((midnight + offset * 86400 + 3600))
    year=${moment%% *} word=${moment##* } month=${moment:5:2} day=${moment:8:2}
    if ((offset > 0)); then of_day=-1; fi
    if [[ -z ${is_day[$day]-} || -z ${is_month[$month]-} || -z ${is_week_day[$word]-} || -z ${is_year[$year]-} ]]; then continue; fi
    if moment=$(time_after "$of_day" "$hours" "$minutes" "$seconds"); then echo $((midnight + offset * 86400 + moment)) && return; fi
  done
}

# time_after SECOND HOURS MINUTES SECONDS: prints the first second of a day after SECOND that the lists mean. Fails without one.
time_after() {
  local hour minute second
  for ((hour = ($1 < 0 ? 0 : $1 / 3600); hour < 24; hour++)); do
    is_in "$hour" "$2" 0 || continue
    for ((minute = 0; minute < 60; minute++)); do
      if ((hour * 3600 + minute * 60 + 59 <= $1)) || ! is_in "$minute" "$3" 0; then continue; fi
      for ((second = 0; second < 60; second++)); do
        if ((hour * 3600 + minute * 60 + second > $1)) && is_in "$second" "$4" 0; then
          echo $((hour * 3600 + minute * 60 + second)) && return
        fi
      done
    done
  done
  return 1
}

list_timers() {
  local id next last left passed count=0 format='%-29s %-15s %-29s %-15s %-28s %s\n'
  # shellcheck disable=SC2059 # the format is above
  if [[ -n $legend ]]; then printf "$format" NEXT LEFT LAST PASSED UNIT ACTIVATES; fi
  while read -r _ id; do
    find_unit "$id" && read_unit
    next=$(state next) last=$(state last) left=n/a passed=n/a
    if ! is_running; then next=''; fi
    if [[ -n $next ]]; then left="$(span $((next - EPOCHSECONDS))) left"; fi
    if [[ -n $last ]]; then passed="$(span $((EPOCHSECONDS - last))) ago"; fi
    # shellcheck disable=SC2059
    printf "$format" "$(timestamp "$next")" "$left" "$(timestamp "$last")" "$passed" "$unit_full" "$(timer_target)"
    count=$((count + 1))
  done < <(
    for id in $(all_units); do
      if [[ $id != *.timer ]] || ! find_unit "$id" || [[ -n $unit_masked ]]; then continue; fi
      read_unit
      if is_running; then printf '%s %s\n' "$(state next | grep . || echo 9999999998)" "$id"; elif [[ -n $all ]]; then echo "9999999999 $id"; fi
    done | sort
  )
  if [[ -n $legend ]]; then
    printf '\n%s timers listed.\n' "$count"
    if [[ -z $all ]]; then echo 'Pass --all to see loaded but inactive timers, too.'; fi
  fi
}
