#!/usr/bin/env bash
# Makes images for LXD from the Debian packages that this machine can download, as there is no server of images for tests:
#   images.sh FOLDER
# busybox.tar.gz (3 MB: BusyBox and dropbear, no cloud-init), and debian.tar.gz with debian.squashfs (70 MB: systemd, OpenSSH,
# cloud-init). As root, with debootstrap and squashfs-tools. What is there already is not made again.
set -euo pipefail
to=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# apt downloads as a user of its own.
chmod 755 "$work"
cd "$work"

# metadata FOLDER SYSTEM RELEASE
metadata() {
  mkdir -p "$1"
  printf 'architecture: %s\ncreation_date: %s\nproperties: {os: %s, release: "%s"}\n' "$(uname -m)" "$(date +%s)" "$2" "$3" >"$1/metadata.yaml"
}

busybox() {
  local root=$work/busybox/rootfs libs package
  mkdir -p packages "$root"
  (cd packages && apt-get download -qq busybox-static dropbear-bin libtomcrypt1 libtommath1 libgmp10 libc6 libcrypt1 zlib1g 2>/dev/null)
  for package in packages/*.deb; do dpkg -x "$package" "$root"; done
  rm -rf "$root"/usr/share "$root"/usr/lib/*/gconv
  mkdir -p "$root"/{etc/dropbear,etc/init.d,proc,sys,dev,tmp,root,sbin,run,usr/share/udhcpc}
  chmod 700 "$root/root"
  chmod 1777 "$root/tmp"
  ldconfig -r "$root" 2>/dev/null || true
  local applet
  for applet in $("$root/bin/busybox" --list); do [ "$applet" = busybox ] || ln -sf /bin/busybox "$root/bin/$applet"; done
  ln -sf /bin/busybox "$root/sbin/init"
  printf '::sysinit:/etc/init.d/rcS\n::respawn:/usr/sbin/dropbear -F -E\n' >"$root/etc/inittab"
  cat >"$root/etc/init.d/rcS" <<'RC'
#!/bin/sh
[ ! -s /etc/hostname ] || hostname -F /etc/hostname
ip link set lo up
ip link set eth0 up
key=/etc/dropbear/dropbear_ed25519_host_key
[ -s $key ] || dropbearkey -t ed25519 -f $key >/dev/null 2>&1
udhcpc -b -i eth0 -s /usr/share/udhcpc/script
RC
  cat >"$root/usr/share/udhcpc/script" <<'DHCP'
#!/bin/sh
case $1 in
  deconfig) ip -4 addr flush dev $interface ;;
  bound | renew)
    ip addr add $ip/$mask dev $interface 2>/dev/null
    [ -z "$router" ] || ip route replace default via $router ;;
esac
DHCP
  # Debian's BusyBox has none.
  cat >"$root/sbin/chpasswd" <<'CHPASSWD'
#!/bin/sh
while IFS=: read -r user password; do
  hash=$(mkpasswd -m sha512 "$password") && [ -n "$hash" ] || exit 1
  sed "s|^$user:[^:]*:|$user:$hash:|" /etc/shadow >/etc/shadow.new && chmod 600 /etc/shadow.new && mv /etc/shadow.new /etc/shadow
done
CHPASSWD
  chmod 755 "$root/etc/init.d/rcS" "$root/usr/share/udhcpc/script" "$root/sbin/chpasswd"
  printf 'root:x:0:0:root:/root:/bin/sh\n' >"$root/etc/passwd"
  printf 'root:x:0:\n' >"$root/etc/group"
  printf 'root:!:19000:0:99999:7:::\n' >"$root/etc/shadow"
  chmod 600 "$root/etc/shadow"
  echo /bin/sh >"$root/etc/shells"
  printf 'passwd: files\nhosts: files\n' >"$root/etc/nsswitch.conf"
  metadata busybox busybox 1.35
  tar -C busybox -czf "$to/busybox.tar.gz" metadata.yaml rootfs
}

debian() {
  local root=$work/debian mirror
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
  debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,openssh-server,cloud-init,python3-cffi-backend,iproute2,net-tools,netbase,ifupdown,isc-dhcp-client,procps \
    bookworm "$root" "$mirror" >debootstrap.log || { tail -n 20 debootstrap.log >&2; exit 1; }
  rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/* "$root"/usr/share/{doc,man,locale}/* "$root"/etc/ssh/ssh_host_*
  : >"$root/etc/machine-id"
  echo 'PermitRootLogin yes' >"$root/etc/ssh/sshd_config.d/10-root.conf"
  echo 'datasource_list: [LXD, None]' >"$root/etc/cloud/cloud.cfg.d/90-lxd.cfg"
  metadata meta debian bookworm
  tar -C meta -czf "$to/debian.tar.gz" metadata.yaml
  mksquashfs "$root" "$to/debian.squashfs" -comp zstd -Xcompression-level 3 -noappend -quiet -no-progress >/dev/null 2>&1
}

mkdir -p "$to"
[ -e "$to/busybox.tar.gz" ] || busybox
[ -e "$to/debian.squashfs" ] || debian
