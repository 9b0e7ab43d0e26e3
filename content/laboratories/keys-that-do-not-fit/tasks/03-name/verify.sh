#!/bin/bash
# Uses the name as the student would. The token can be read by deploy and root only.

want=$(must cat /home/deploy/token)
must [ "${#want}" -eq 16 ]
settings=$(as_student -l -t 5 -C /home/student /usr/bin/ssh -G depot 2>/dev/null | head -c 20000 | tr -d '\000')
value() { printf '%s\n' "$settings" | awk -v name="$1" '$1 == name { print $2; exit }'; }
[ "$(value port)" = 2222 ] || problem 'ssh depot does not use port 2222'
[ "$(value user)" = deploy ] || problem 'ssh depot does not use the account deploy'
case $(value stricthostkeychecking) in
  no | false | off) problem 'the host key is not checked' ;;
esac
case $(value userknownhostsfile) in
  /home/student/.ssh/known_hosts | '~/.ssh/known_hosts') ;;
  *) problem 'the host key is not looked up in ~/.ssh/known_hosts' ;;
esac
got=$(as_student -l -t 10 -C /home/student /usr/bin/ssh -o BatchMode=yes -o ConnectTimeout=5 depot 'cat ~/token' 2>/dev/null)
[ "$got" = "$want" ] || problem 'ssh depot does not run a command as deploy'
verdict
