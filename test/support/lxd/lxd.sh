#!/usr/bin/env bash
# An LXD for tests: a folder and a network namespace of its own, a pool with quotas (btrfs in a file), one without (dir),
# a bridge with both families. Nothing of the machine's own LXD or network is touched. As root:
#   lxd.sh FOLDER [IMAGE...]     an image is NAME=FILE[+ROOTFS]
# Says "ready PID" once it answers; the PID's network namespace is the one of the containers, FOLDER/lxd/unix.socket the
# socket. It ends, and removes everything, when its standard input ends, however the caller ended.
set -euo pipefail
if [ "$1" != --inside ]; then exec unshare --net --mount "$0" --inside "$@"; fi
folder=$2
shift 2

# sysfs shows the network of the namespace in which it was mounted. The cgroups below it stay the machine's.
cgroups=$(mktemp -d)
mount --make-rprivate /
mount --rbind /sys/fs/cgroup "$cgroups"
mount -t sysfs sysfs /sys
mount --rbind "$cgroups" /sys/fs/cgroup
ip link set lo up

export LXD_DIR=$folder/lxd
mkdir -p -m 711 "$LXD_DIR"
chmod 711 "$folder"
lxd --group root --logfile "$folder/lxd.log" >"$folder/lxd.out" 2>&1 </dev/null &
daemon=$!
finish() {
  trap - EXIT
  lxc list -f csv -c n </dev/null 2>/dev/null | while read -r name; do lxc delete -f "$name" </dev/null 2>/dev/null || true; done
  timeout 20 lxd shutdown --timeout 10 </dev/null >/dev/null 2>&1 || kill "$daemon" 2>/dev/null || true
  wait "$daemon" 2>/dev/null || true
  # Where the folder went before, as of a run that was interrupted, LXD did not end them.
  for monitor in $(pgrep -f "\[lxc monitor\] $LXD_DIR/" || true); do
    for process in $(pgrep -P "$monitor"); do kill -9 "$process" 2>/dev/null || true; done
  done
  # LXD leaves it running.
  for process in $(pgrep -f "dhcp-leasefile=$LXD_DIR/" || true); do kill "$process" 2>/dev/null || true; done
  umount -l "$LXD_DIR"/* "$LXD_DIR"/storage-pools/* 2>/dev/null || true
  rm -rf "$folder"
  rmdir "$cgroups" 2>/dev/null || true
}
trap finish EXIT

lxd waitready --timeout 60 </dev/null
lxd init --preseed >/dev/null <<PRESEED
config: {core.https_address: '127.0.0.1:8443', core.trust_password: trust-of-the-test}
storage_pools:
  - {name: quota, driver: btrfs, config: {size: 8GiB}}
  - {name: plain, driver: dir}
networks:
  - name: br0
    type: bridge
    config:
      ipv4.address: 10.71.0.1/22
      ipv4.nat: 'false'
      ipv4.firewall: 'false'
      ipv6.address: 'fd71::1/64'
      ipv6.nat: 'false'
      ipv6.firewall: 'false'
      ipv6.dhcp.stateful: 'false'
profiles:
  - name: default
    devices:
      root: {type: disk, path: /, pool: quota}
      eth0: {type: nic, name: eth0, network: br0}
PRESEED
for image in "$@"; do
  IFS=+ read -ra files <<<"${image#*=}"
  lxc image import "${files[@]}" --alias "${image%%=*}" -q </dev/null >/dev/null
done
echo "ready $daemon"
cat >/dev/null
