#!/busybox sh
# The guest's first program: this machine's files read-only below a layer of the guest's own, and version 2 alone.
set -e
/busybox mkdir -p /proc /sys /dev /disk /host /root
/busybox mount -t proc proc /proc
/busybox mount -t sysfs sysfs /sys
/busybox mount -t devtmpfs dev /dev
for module in /modules/*; do /busybox insmod "$module"; done
until [ -b /dev/vda ]; do /busybox usleep 50000; done
/busybox mount -t ext4 /dev/vda /disk
/busybox mount -t 9p -o ro,trans=virtio,version=9p2000.L,msize=524288,cache=loose host /host
/busybox mkdir /disk/upper /disk/work /disk/tmp
/busybox chmod 1777 /disk/tmp
/busybox mount -t overlay -o lowerdir=/host,upperdir=/disk/upper,workdir=/disk/work root /root
for name in proc sys dev; do /busybox mount -o move /$name /root/$name; done
/busybox mount -t tmpfs -o mode=755 run /root/run
/busybox mkdir -p /root/scratch /root/dev/pts /root/dev/shm /root/run/vm
/busybox mount -o bind /disk/tmp /root/scratch
/busybox mount -t devpts -o ptmxmode=666 pts /root/dev/pts
/busybox mount -t tmpfs -o mode=1777 shm /root/dev/shm
/busybox mount -t cgroup2 -o nsdelegate,memory_recursiveprot none /root/sys/fs/cgroup
/busybox mount -t 9p -o trans=virtio,version=9p2000.L,msize=524288,cache=none out /root/run/vm
/busybox ifconfig lo up
/busybox cp /busybox /guest.sh /root/run/
exec /busybox switch_root /root /run/busybox sh /run/guest.sh
