/** Network settings of containers with internet. */
export type Internet = {
  /** IPv4 addresses of resolvers; reachable even in a blocked network. */
  dns: readonly string[];
  /** IPv4 networks (`203.0.113.0/24`) to block in addition to those that are always blocked. */
  blocked: readonly string[];
};

export const defaultInternet: Internet = { dns: ['9.9.9.9', '1.1.1.1'], blocked: [] };

/** All networks outside the public internet (RFC 6890), including the metadata services of clouds (169.254.169.254). */
export const privateNetworks =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16 198.18.0.0/15 224.0.0.0/4 240.0.0.0/4'.split(
    ' ',
  );

/**
 * `confine RESOLVERS NETWORKS SIGN`, each a list of words. The filter enforces the restriction: it sees every packet, including
 * those of a socket that is bound to the device and bypasses the routes. The routes only give other sockets an immediate error. The
 * gateway stays reachable as the next hop, but not as a destination. ARP is allowed with the gateway only. A kernel without ARP
 * filters sends ARP requests that no host on the link answers.
 */
export const confine = `set -euo pipefail
export PATH=/.grader/bin:/usr/sbin
while read -r word via gateway dev interface rest; do
  if [[ $word == default ]]; then break; fi
done < <(ip route)
[[ $word == default && $via == via && $dev == dev ]]
links=()
while read -r _ _ family address rest; do
  [[ $family == inet ]] || continue
  eval "$(ipcalc -n -p "$address")"
  links+=("$NETWORK/$PREFIX")
done < <(ip -o address show dev "$interface")
((\${#links[@]}))

{
  echo 'table inet platform
delete table inet platform
table inet platform {
  chain forward { type filter hook forward priority 0; policy drop; }
  chain output {
    type filter hook output priority 0; policy drop;
    oifname "lo" accept
    meta nfproto != ipv4 drop
    ip hdrlength != 5 drop'
  for resolver in $1; do echo "    ip daddr $resolver accept"; done
  for network in $2 "\${links[@]}"; do echo "    ip daddr $network drop"; done
  echo '    accept
  }
}'
} | nft -f -
echo "table arp platform
delete table arp platform
table arp platform {
  chain output { type filter hook output priority 0; policy drop; arp daddr ip $gateway accept; }
}" | nft -f - || echo 'no filter for ARP'

ip route replace default via "$gateway" dev "$interface" onlink
for resolver in $1; do ip route replace "$resolver" via "$gateway" dev "$interface" onlink; done
for network in $2; do [[ $network == "$3" ]] || ip route replace prohibit "$network"; done
for network in "\${links[@]}"; do
  ip route del "$network" dev "$interface" 2>/dev/null || true
  ip route replace prohibit "$network"
done
if [[ -s /proc/net/if_inet6 ]]; then
  ip -6 addr flush dev "$interface"
  ip -6 route flush dev "$interface"
fi
ip route replace prohibit "$3"`;
