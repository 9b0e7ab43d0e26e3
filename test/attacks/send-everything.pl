# send-everything.pl INTERFACE ADDRESS...: sends to each address in every way that Linux has for a program. It prints what only a program with
# capabilities can do.
use strict;
use Socket qw(:all);
my ($interface, @addresses) = @ARGV;
open(my $file, '<', "/sys/class/net/$interface/ifindex") or die;
my $index = <$file> + 0;
my @kept;

my $device = sub { setsockopt($_[0], SOL_SOCKET, 25, "$interface\0") };
my @ways = (
  sub { },
  $device,
  sub { $device->(@_); setsockopt($_[0], SOL_SOCKET, SO_DONTROUTE, 1) },
  sub { setsockopt($_[0], SOL_SOCKET, SO_DONTROUTE, 1) },
  # IP_UNICAST_IF
  sub { setsockopt($_[0], IPPROTO_IP, 50, pack('N', $index)) },
  # IP_OPTIONS: a loose source route by way of the address
  sub { $device->(@_); setsockopt($_[0], IPPROTO_IP, 4, pack('C4a4', 131, 7, 4, 0, inet_aton($_[1])) ) },
);

sub opened {
  my ($family, $type, $protocol) = @_;
  socket(my $socket, $family, $type | SOCK_NONBLOCK, $protocol) or return;
  push @kept, $socket;
  setsockopt($socket, SOL_SOCKET, SO_BROADCAST, 1);
  return $socket;
}

for my $address (@addresses) {
  for my $way (@ways) {
    # UDP, UDP-Lite, ICMP's echo
    for ([17, 9, 'datagram'], [17, 67, 'datagram'], [136, 9, 'datagram'], [1, 0, "\x08\0\0\0\0\0\0\1echo"]) {
      my ($protocol, $port, $payload) = @$_;
      my $socket = opened(AF_INET, SOCK_DGRAM, $protocol) or next;
      $way->($socket, $address);
      # IP_MULTICAST_IF, and a membership of the group
      setsockopt($socket, IPPROTO_IP, 32, pack('a4a4i', "\0\0\0\0", "\0\0\0\0", $index));
      setsockopt($socket, IPPROTO_IP, 35, pack('a4a4i', inet_aton($address), "\0\0\0\0", $index));
      send($socket, $payload, 0, sockaddr_in($port, inet_aton($address)));
    }
    # TCP, and TCP with MSG_FASTOPEN
    my $socket = opened(AF_INET, SOCK_STREAM, 6);
    $way->($socket, $address);
    connect($socket, sockaddr_in(80, inet_aton($address)));
    $socket = opened(AF_INET, SOCK_STREAM, 6);
    $way->($socket, $address);
    send($socket, 'open', 0x20000000, sockaddr_in(22, inet_aton($address)));
    # an IPv4 address in IPv6's clothes
    $socket = opened(AF_INET6, SOCK_DGRAM, 17) or next;
    $device->($socket);
    send($socket, 'mapped', 0, pack_sockaddr_in6(9, inet_pton(AF_INET6, "::ffff:$address")));
  }
}

# a DHCP client's question
my $dhcp = opened(AF_INET, SOCK_DGRAM, 17);
$device->($dhcp);
bind($dhcp, sockaddr_in(68, INADDR_ANY));
send($dhcp, pack('C4Nx228', 1, 1, 6, 0, 1) . "\x63\x82\x53\x63\x35\1\1\xff", 0, sockaddr_in(67, INADDR_BROADCAST));

for my $address ('ff02::1', 'ff02::2', 'fe80::1', 'fe80::42:ff:fe00:1', 'fd00::1', 'fd00:ec2::254') {
  for ([17, SOCK_DGRAM, 'datagram'], [58, SOCK_DGRAM, "\x80\0\0\0\0\0\0\1echo"], [6, SOCK_STREAM, '']) {
    my ($protocol, $type, $payload) = @$_;
    my $socket = opened(AF_INET6, $type, $protocol) or next;
    $device->($socket);
    my $to = pack_sockaddr_in6(9, inet_pton(AF_INET6, $address), $index);
    $type == SOCK_STREAM ? connect($socket, $to) : send($socket, $payload, 0, $to);
  }
}

# Raw packets and frames. A frame that passes one address off as another's:
my $forged = "\xff" x 6 . "\2\0\0\0\0\1" . pack('n n n C C n', 0x0806, 1, 0x0800, 6, 4, 2) . "\2\0\0\0\0\1"
  . inet_aton($addresses[0]) . "\xff" x 6 . inet_aton($addresses[0]);
for ([AF_INET, SOCK_RAW, 255], [AF_INET, SOCK_RAW, 1], [AF_INET6, SOCK_RAW, 58], [17, SOCK_RAW, 0x0300], [17, SOCK_DGRAM, 0x0300]) {
  my ($family, $type, $protocol) = @$_;
  my $socket = opened($family, $type, $protocol) or next;
  print "raw socket $family $type $protocol\n";
  send($socket, $forged, 0, pack('S n i S C C a8', 17, 0x0806, $index, 1, 0, 6, "\xff" x 6)) if $family == 17;
}
