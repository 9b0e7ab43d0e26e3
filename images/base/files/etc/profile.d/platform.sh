# For login shells, which sshd starts with its own environment.
export LANG="${LANG:-C.UTF-8}"
case ":$PATH:" in
  *:/usr/sbin:*) ;;
  *) PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin" ;;
esac
export PATH
