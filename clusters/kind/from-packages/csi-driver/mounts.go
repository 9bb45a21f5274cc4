package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/moby/sys/mountinfo"
	"golang.org/x/sys/unix"
)

// More mounts than this on one path are not of our making.
const maxStackedMounts = 8

// mountsOf finds where a volume's data is mounted. It asks the kernel instead of keeping a list, which a crash could
// leave wrong.
func mountsOf(data string) ([]*mountinfo.Info, error) {
	source, err := os.Stat(data)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	// Only what looks like ours is looked at closely: a stat of somebody's dead network mount may never return.
	parts := strings.Split(data, "/")
	suffix := "/" + strings.Join(parts[len(parts)-3:], "/")
	candidates, err := mountinfo.GetMounts(func(info *mountinfo.Info) (skip, stop bool) {
		return !strings.HasSuffix(info.Root, suffix), false
	})
	if err != nil {
		return nil, fmt.Errorf("mounts can't be read: %w", err)
	}
	return slices.DeleteFunc(candidates, func(info *mountinfo.Info) bool {
		mounted, err := os.Stat(info.Mountpoint)
		return err != nil || !os.SameFile(source, mounted)
	}), nil
}

func isReadOnly(mount *mountinfo.Info) bool {
	return slices.Contains(strings.Split(mount.Options, ","), "ro")
}

// bind shows a folder at target. By system call: the driver's image is empty but for the driver.
func bind(source, target string, readOnly bool) error {
	if readOnly {
		return bindReadOnly(source, target)
	}
	if err := unix.Mount(source, target, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("bind mount of %s: %w", source, err)
	}
	return nil
}

// bindReadOnly makes the mount read-only before anybody sees it. A bind mount can't be made so, only changed: that would
// leave a writable one after a crash in between, and the copies that have propagated writable in any case.
func bindReadOnly(source, target string) error {
	tree, err := unix.OpenTree(unix.AT_FDCWD, source, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
	if err != nil {
		return readOnlyFailure(source, err)
	}
	defer unix.Close(tree)
	attributes := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(tree, "", unix.AT_EMPTY_PATH, &attributes); err != nil {
		return readOnlyFailure(source, err)
	}
	if err := unix.MoveMount(tree, "", unix.AT_FDCWD, target, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
		return readOnlyFailure(source, err)
	}
	return nil
}

func readOnlyFailure(source string, err error) error {
	if errors.Is(err, unix.ENOSYS) {
		return fmt.Errorf("read-only mount of %s: Linux 5.12 or newer is needed: %w", source, err)
	}
	return fmt.Errorf("read-only mount of %s: %w", source, err)
}

// unmount takes away whatever is mounted at target, then target itself, which must be empty by then.
func unmount(target string) error {
	for range maxStackedMounts {
		mounted, err := mountinfo.Mounted(target)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("mounts can't be read: %w", err)
		}
		if !mounted {
			// Not os.RemoveAll: what is below might be data after all.
			if err := os.Remove(target); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return nil
		}
		if err := unix.Unmount(target, unix.UMOUNT_NOFOLLOW); err != nil {
			return fmt.Errorf("unmount: %w", err)
		}
	}
	return fmt.Errorf("still mounted after %d unmounts", maxStackedMounts)
}
