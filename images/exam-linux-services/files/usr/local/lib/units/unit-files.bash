# Unit files and init scripts: how they are found, read, enabled and disabled. Sourced by systemctl and journalctl.
# shellcheck shell=bash disable=SC2034 # the variables are the interface

readonly own_units=/etc/systemd/system
# Those of systemd-run come first here. They go with the next start of the machine.
readonly package_units=(/run/systemd/transient /usr/local/lib/systemd/system /usr/lib/systemd/system /lib/systemd/system)
readonly boot_targets=(timers.target multi-user.target default.target graphical.target)
readonly state_root=/run/units
readonly log_root=/var/log/units

# unit_id NAME: prints NAME without .service and without a folder. Timers keep .timer; fails for units of another type.
unit_id() {
  local name=${1##*/}
  case $name in
    *.socket | *.target | *.mount | *.automount | *.path | *.slice | *.scope | *.swap | *.device) return 1 ;;
  esac
  name=${name%.service}
  [[ $name =~ ^[A-Za-z0-9:_.@\\-]+$ ]] && printf '%s\n' "$name"
}

# full_name ID: prints the id with its type.
full_name() { if [[ $1 == *.timer ]]; then echo "$1"; else echo "$1.service"; fi; }

# find_unit ID: sets unit_name, unit_full (with .service or .timer), unit_file (empty where there is none), init_script (the same) and unit_masked.
# An alias (a symbolic link to a unit of another name) stands for the unit it points to. Fails if there is nothing.
find_unit() {
  local folder path target type=.service name=$1
  if [[ $1 == *.timer ]]; then type=.timer name=${1%.timer}; fi
  unit_name=$1 unit_full=$name$type unit_file='' init_script='' unit_masked=''
  for folder in "$own_units" "${package_units[@]}"; do
    for path in "$folder/$name$type" "$folder/${name%%@*}@$type"; do
      if [[ $path == *@$type && $name != *@* ]] || [[ ! -e $path && ! -L $path ]]; then continue; fi
      target=$(readlink -f "$path") || continue
      if [[ $target == /dev/null ]]; then
        unit_file=$path unit_masked=yes
        return 0
      fi
      if [[ -L $path && ${target##*/} == *$type && ${target##*/} != "${path##*/}" ]]; then
        target=${target##*/}
        find_unit "${target%.service}"
        return
      fi
      unit_file=$path
      break 2
    done
  done
  if [[ -x /etc/init.d/$unit_name && -f /etc/init.d/$unit_name ]]; then init_script=/etc/init.d/$unit_name; fi
  [[ -n $unit_file || -n $init_script ]]
}

# read_unit: reads unit_file and its drop-ins into the associative array `unit` (Section.Key); what is given more than
# once is joined by line feeds, and an empty value takes back what was given before.
read_unit() {
  declare -gA unit=()
  local files=() file drop_in line more section='' key value
  if [[ -n $unit_file ]]; then
    files=("$unit_file")
    for drop_in in "$own_units/$unit_full.d"/*.conf; do
      if [[ -f $drop_in ]]; then files+=("$drop_in"); fi
    done
  fi
  for file in "${files[@]}"; do
    while IFS= read -r line || [[ -n $line ]]; do
      while [[ $line == *\\ ]] && IFS= read -r more; do line="${line%\\} $more"; done
      line=${line%$'\r'}
      line=${line#"${line%%[![:space:]]*}"}
      line=${line%"${line##*[![:space:]]}"}
      case $line in
        '' | '#'* | ';'*) ;;
        '['*']') section=${line:1:-1} ;;
        *=*)
          key=${line%%=*} value=${line#*=}
          key="$section.${key%"${key##*[![:space:]]}"}" value=${value#"${value%%[![:space:]]*}"}
          if [[ -z $value ]]; then
            unset "unit[$key]"
          else
            unit[$key]=${unit[$key]:+${unit[$key]}$'\n'}$value
          fi
          ;;
      esac
    done <"$file"
  done
  if [[ -z $unit_file && -n $init_script ]]; then
    unit[Unit.Description]=$(sed -n 's/^# Short-Description:[[:space:]]*//p' "$init_script" | head -n 1)
  fi
}

# setting KEY [DEFAULT]: prints the last value given for Section.Key.
setting() {
  local value=${unit[$1]-${2-}}
  printf '%s\n' "${value##*$'\n'}"
}

# unit_links: prints the paths of the symbolic links that enable the unit.
unit_links() {
  local word
  for word in ${unit[Install.WantedBy]-}; do printf '%s\n' "$own_units/$word.wants/$unit_full"; done
  for word in ${unit[Install.RequiredBy]-}; do printf '%s\n' "$own_units/$word.requires/$unit_full"; done
  for word in ${unit[Install.Alias]-}; do printf '%s\n' "$own_units/$word"; done
}

# enablement: prints the state for is-enabled.
enablement() {
  local link
  if [[ -n $unit_masked ]]; then
    echo masked
  elif [[ -z $unit_file ]]; then
    for link in /etc/rc[2-5].d/S??"$unit_name"; do
      if [[ -e $link ]]; then echo enabled && return; fi
    done
    echo disabled
  else
    for link in "$own_units"/*.{wants,requires}/"$unit_full"; do
      if [[ -L $link ]]; then echo enabled && return; fi
    done
    if [[ -n ${unit[Install.WantedBy]-}${unit[Install.RequiredBy]-} ]]; then echo disabled; else echo static; fi
  fi
}

# init_links COMMAND: update-rc.d calls systemctl for the same service, which has nothing to do then.
init_links() { UNITS_LINKING=yes update-rc.d "$unit_name" "$1"; }

enable_unit() {
  local link
  if [[ -n $unit_file ]]; then
    if [[ -z $(unit_links) ]]; then
      echo "The unit files have no installation config (WantedBy=, RequiredBy=, Alias= in the [Install] section)." >&2
      return 0
    fi
    while IFS= read -r link; do
      if [[ -L $link && $(readlink "$link") == "$unit_file" ]]; then continue; fi
      mkdir -p "${link%/*}" && ln -sfn "$unit_file" "$link" || return 1
      echo "Created symlink $link → $unit_file." >&2
    done < <(unit_links)
  fi
  if [[ -n $init_script ]]; then init_links defaults && init_links enable; fi >/dev/null
}

disable_unit() {
  local link
  if [[ -n $unit_file ]]; then
    for link in "$own_units"/*.{wants,requires}/"$unit_full" $(unit_links); do
      if [[ ! -L $link || $link == "$unit_file" ]]; then continue; fi
      rm -f "$link" || return 1
      echo "Removed $link." >&2
    done
  fi
  if [[ -n $init_script ]]; then init_links disable; fi >/dev/null
}

# get_default: prints the target at the start of the machine.
get_default() {
  local target
  if target=$(readlink "$own_units/default.target"); then echo "${target##*/}"; else echo multi-user.target; fi
}

# set_default NAME: changes it. Only the name is kept: all targets start the same services.
set_default() {
  local name=${1%.target}.target link=$own_units/default.target
  if [[ -z $1 ]]; then echo 'Too few arguments.' >&2 && return 1; fi
  case $name in
    multi-user.target | graphical.target | rescue.target | emergency.target) ;;
    *) echo "Failed to set default target: Unit file $name does not exist." >&2 && return 1 ;;
  esac
  if [[ -L $link ]]; then rm "$link" && echo "Removed $link." >&2; fi
  mkdir -p "$own_units" && ln -s "/lib/systemd/system/$name" "$link" && echo "Created symlink $link → /lib/systemd/system/$name." >&2
}

# boot_units: prints the ids of the services and timers that start at boot, the system log first, because the others write to it.
boot_units() {
  local target link
  {
    for target in "${boot_targets[@]}"; do
      for link in "$own_units/$target".{wants,requires}/*.{service,timer}; do
        if [[ -L $link ]]; then link=${link##*/} && echo "${link%.service}"; fi
      done
    done
    for link in /etc/rc2.d/S*; do
      link=${link##*/S[0-9][0-9]}
      if [[ -x /etc/init.d/$link ]] && find_unit "$link" && [[ -z $unit_file ]]; then echo "$link"; fi
    done
  } | sort -u | sed '/syslog/!s/^/1 /; /syslog/s/^/0 /' | sort | cut -d ' ' -f 2
}

# all_units: prints the ids of all services and timers.
all_units() {
  local path
  {
    for path in "$own_units" "${package_units[@]}"; do
      if [[ -d $path ]]; then find "$path/" -maxdepth 1 \( -name '*.service' -o -name '*.timer' \) ! -name '*@.*' -printf '%f\n'; fi
    done | sed 's/\.service$//'
    find /etc/init.d -maxdepth 1 -type f -perm -u+x -printf '%f\n'
  } | sort -u
}
