# What systemctl prints about units. Sourced by systemctl, after unit-files.bash, processes.bash and lifecycle.bash.
# shellcheck shell=bash disable=SC2154 # unit, unit_name ... are set by unit-files.bash

sub_state() {
  case $1 in
    active)
      if [[ $unit_name == *.timer ]]; then
        if [[ -n $(state next) ]]; then echo waiting; else echo elapsed; fi
        return
      fi
      ;;&
    active) if [[ -z $(main_pid) && $(state result) == exited ]]; then echo exited; else echo running; fi ;;
    activating) echo auto-restart ;;
    failed) echo failed ;;
    *) echo dead ;;
  esac
}

description() { setting Unit.Description "$unit_full"; }

show_status() {
  local active dot='●' since pid result
  active=$(active_state) result=$(state result) since=$(state since)
  case $active in inactive) dot='○' ;; failed) dot='×' ;; esac
  echo "$dot $unit_full - $(description)"
  if [[ -n $unit_masked ]]; then
    echo '     Loaded: masked (Reason: Unit is masked.)'
  else
    echo "     Loaded: loaded (${unit_file:-$init_script}; $(enablement))"
  fi
  printf '     Active: %s' "$active"
  if [[ $active == failed ]]; then printf ' (Result: %s)' "$result"; else printf ' (%s)' "$(sub_state "$active")"; fi
  if [[ -n $since ]]; then
    printf ' since %(%a %Y-%m-%d %H:%M:%S %Z)T; %ss ago' "$since" $((EPOCHSECONDS - since))
  fi
  echo
  if [[ $unit_name == *.timer ]]; then
    if [[ -n $(state next) && $active == active ]]; then
      printf '    Trigger: %s; %s left\n' "$(timestamp "$(state next)")" "$(span $(($(state next) - EPOCHSECONDS)))"
    fi
    echo "   Triggers: ● $(timer_target)"
  elif pid=$(main_pid); then
    echo "   Main PID: $pid ($(<"/proc/$pid/comm"))"
  elif [[ -n $(state finished) ]]; then
    echo "    Process: $(exit_words "$(state finished)")"
  fi
  if [[ $lines -gt 0 && -s $log_root/$unit_name.log ]]; then echo && tail -n "$lines" "$log_root/$unit_name.log"; fi
  case $active in active | activating) return 0 ;; *) return 3 ;; esac
}

show_properties() {
  local active name value
  active=$(active_state)
  local -A known=(
    [Id]=$unit_full [Names]=$unit_full [Description]=$(description)
    [LoadState]=${unit_masked:+masked} [ActiveState]=$active [SubState]=$(sub_state "$active")
    [UnitFileState]=$(enablement) [FragmentPath]=${unit_file:-$init_script} [MainPID]=$(main_pid || echo 0)
    [Type]=$(setting Service.Type simple) [Restart]=$(setting Service.Restart no) [User]=$(setting Service.User)
    [Unit]=$(timer_target) [NextElapseUSecRealtime]=$(timestamp "$(state next)") [LastTriggerUSec]=$(timestamp "$(state last)")
    [ExecMainStatus]=$(state finished || echo 0) [Result]=$(state result || echo success)
  )
  known[LoadState]=${known[LoadState]:-loaded}
  for name in Id Names Description LoadState ActiveState SubState UnitFileState FragmentPath MainPID Type Restart User \
    ExecMainStatus Result Unit NextElapseUSecRealtime LastTriggerUSec; do
    if [[ $unit_name != *.timer && $name =~ ^(Unit|NextElapseUSecRealtime|LastTriggerUSec)$ ]]; then continue; fi
    if [[ -n $properties && ",$properties," != *",$name,"* ]]; then continue; fi
    value=${known[$name]}
    if [[ -n $value_only ]]; then echo "$value"; else echo "$name=$value"; fi
  done
}

show_files() {
  local file
  for file in "${unit_file:-$init_script}" "$own_units/$unit_full.d"/*.conf; do
    echo "# $file" && cat "$file" && echo
  done
}

list_units() {
  local id active count=0
  if [[ -n $legend ]]; then printf '  %-28s %-8s %-10s %-12s %s\n' UNIT LOAD ACTIVE SUB DESCRIPTION; fi
  for id in $(all_units); do
    find_unit "$id" && [[ $unit_name == "$id" && -z $unit_masked ]] || continue
    if [[ -n $type_filter && ",$type_filter," != *",${unit_full##*.},"* ]]; then continue; fi
    read_unit
    active=$(active_state)
    if [[ -n $state_filter ]]; then
      [[ ",$state_filter," == *",$active,"* || ",$state_filter," == *",$(sub_state "$active"),"* ]] || continue
    elif [[ -z $all && $active == inactive ]]; then
      continue
    fi
    printf '  %-28s %-8s %-10s %-12s %s\n' "$unit_full" loaded "$active" "$(sub_state "$active")" "$(description)"
    count=$((count + 1))
  done
  if [[ -n $legend ]]; then printf '\n%s loaded units listed.\n' "$count"; fi
}

list_unit_files() {
  local id count=0
  if [[ -n $legend ]]; then printf '%-36s %s\n' 'UNIT FILE' STATE; fi
  for id in $(all_units); do
    find_unit "$id" || continue
    if [[ -n $type_filter && ",$type_filter," != *",${unit_full##*.},"* ]]; then continue; fi
    read_unit
    if [[ $unit_name == "$id" ]]; then printf '%-36s %s\n' "$(full_name "$id")" "$(enablement)"; else
      printf '%-36s %s\n' "$(full_name "$id")" alias
    fi
    count=$((count + 1))
  done
  if [[ -n $legend ]]; then printf '\n%s unit files listed.\n' "$count"; fi
}
