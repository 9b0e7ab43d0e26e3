while ! test -e /opt/ready; do sleep 1; done; exit 3
