# A bed for one connection of the kernel's TCP: three network namespaces in a row.
#
#   left ---- mid ==== 8 Mb/s, a queue of 30 packets of 1,514 bytes ==== right
#
# The queue is at a router, so that a full one loses packets; at the sender's own interface the
# kernel would not send. The bucket holds 8,000 bytes, so that a late timer costs no rate.
# Arguments: the program that sends and receives, the seconds to send, the file of the capture.
set -eu
program=$1 seconds=$2 capture=$3

mount -t tmpfs none /run
mkdir /run/netns
for name in left mid right; do
  ip netns add "$name"
done
ip link add left0 netns left type veth peer name mid0 netns mid
ip link add right0 netns right type veth peer name mid1 netns mid

up() { # namespace, interface, address
  ip -n "$1" link set "$2" gso_max_segs 1
  ip -n "$1" addr add "$3/30" dev "$2"
  ip -n "$1" link set "$2" up
}
up left left0 192.0.2.1
up mid mid0 192.0.2.2
up mid mid1 192.0.2.5
up right right0 192.0.2.6
ip -n left route add default via 192.0.2.2
ip -n right route add default via 192.0.2.5 quickack 1
ip netns exec mid sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'

# RFC 6582 as the model has it: no SACK, and nothing that was built on it.
for name in left right; do
  ip netns exec "$name" sh -c '
    cd /proc/sys/net/ipv4
    echo reno > tcp_congestion_control
    for key in tcp_sack tcp_recovery tcp_early_retrans tcp_frto; do echo 0 > $key; done
    echo 1 > tcp_no_metrics_save'
done
tc -n mid qdisc add dev mid1 root tbf rate 8mbit burst 8000 limit 45420

ip netns exec right "$program" beside-linux-peer receive &
receiver=$!
ip netns exec left tcpdump --interface left0 --snapshot-length 96 --time-stamp-precision nano \
  --immediate-mode -Z root -w "$capture" tcp 2> /dev/null &
sniffer=$!
trap 'kill $receiver $sniffer 2> /dev/null || true' EXIT
ip netns exec left "$program" beside-linux-peer send "$seconds"
kill -INT "$sniffer"
wait "$sniffer"
