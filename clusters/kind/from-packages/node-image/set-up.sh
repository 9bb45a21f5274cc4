#!/bin/sh
# Makes a Debian tree with kind's files a node that systemd boots in a container. Run once, while the image is built.
set -eu

# Of the small files alone: what changes its mode here is in the image twice.
chmod 0755 /kind /kind/bin /kind/bin/* /usr/local/bin/entrypoint /usr/local/bin/fit-containerd-to-machine
mkdir -p /etc/kubernetes/manifests /opt/cni/bin

# Nothing that Debian starts by itself has business in a node.
rm -f /lib/systemd/system/multi-user.target.wants/* /etc/systemd/system/*.wants/* \
  /lib/systemd/system/local-fs.target.wants/* /lib/systemd/system/basic.target.wants/* \
  /lib/systemd/system/sockets.target.wants/*udev* /lib/systemd/system/sockets.target.wants/*initctl* \
  /lib/systemd/system/sysinit.target.wants/systemd-tmpfiles-setup.service
echo 'ReadKMsg=no' >> /etc/systemd/journald.conf
ln -sf /lib/systemd/systemd /sbin/init
systemctl enable kubelet.service containerd.service undo-mount-hacks.service
# It would register handlers with the kernel that all containers share.
systemctl mask systemd-binfmt.service

# Where the container runtime looks for what Debian puts elsewhere.
for plugin in host-local loopback portmap ptp; do cp "/usr/lib/cni/$plugin" /opt/cni/bin/; done
cp "$(command -v runc)" /usr/local/sbin/runc

# What every container of the node starts from, with kind's hook that hides the machine's identity.
ctr oci spec \
  | jq '.hooks.createContainer += [{"path": "/kind/bin/mount-product-files.sh"}] | del(.process.rlimits)' \
  > /etc/containerd/cri-base.json
