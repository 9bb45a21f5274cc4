package main

import (
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Never more than one node: ReadWriteMany and ReadOnlyMany are refused. Since the drivers announce
// SINGLE_NODE_MULTI_WRITER, ReadWriteOnce arrives as that and ReadWriteOncePod as SINGLE_NODE_SINGLE_WRITER.
var accessModes = map[csi.VolumeCapability_AccessMode_Mode]bool{
	csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER:        true,
	csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY:   true,
	csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER: true,
	csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER:  true,
}

// unsupported says why a volume can't be used in this way; empty if it can.
func unsupported(capability *csi.VolumeCapability) string {
	mode := capability.GetAccessMode().GetMode()
	mount := capability.GetMount()
	switch {
	case capability.GetBlock() != nil:
		return "volumeMode must be Filesystem: a folder is no block device"
	case mount == nil:
		return "access type is missing, expected mount"
	case !accessModes[mode]:
		return fmt.Sprintf("access mode must be for a single node (ReadWriteOnce, ReadWriteOncePod), found %s", mode)
	case mount.GetFsType() != "":
		return fmt.Sprintf("fsType must be empty: a folder has no file system of its own, found %q", mount.GetFsType())
	case len(mount.GetMountFlags()) > 0:
		return fmt.Sprintf("mountOptions must be empty, found %q", mount.GetMountFlags())
	}
	return ""
}

// checkCapability refuses what unsupported finds, in the name of the volume.
func checkCapability(id string, capability *csi.VolumeCapability) error {
	if capability == nil {
		return status.Errorf(codes.InvalidArgument, "volume %s: volume capability is missing", id)
	}
	if reason := unsupported(capability); reason != "" {
		return status.Errorf(codes.InvalidArgument, "volume %s: %s", id, reason)
	}
	return nil
}
