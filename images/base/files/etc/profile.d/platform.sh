# For login shells, which sshd starts with an environment of its own.
export LANG="${LANG:-C.UTF-8}"
case ":$PATH:" in
  *:/usr/sbin:*) ;;
  *) PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin" ;;
esac
export PATH
