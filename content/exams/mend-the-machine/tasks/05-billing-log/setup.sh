#!/bin/bash
# An earlier rule that ends the processing, and a rule for too few messages.
set -e
cat >/etc/rsyslog.d/05-noise.conf <<'RULES'
# less noise
local4.*  stop
local6.*  stop
RULES
cat >/etc/rsyslog.d/40-billing.conf <<'RULES'
local4.warning  /var/log/billing.log.1
& stop
RULES
systemctl restart rsyslog
