package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/moby/sys/mountinfo"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// nodeServer shows volumes to the pods of this node.
type nodeServer struct {
	csi.UnimplementedNodeServer
	class   class
	nodeID  string
	volumes *store
	busy    *inFlight
}

func (s *nodeServer) NodeGetInfo(context.Context, *csi.NodeGetInfoRequest) (*csi.NodeGetInfoResponse, error) {
	return &csi.NodeGetInfoResponse{
		NodeId:             s.nodeID,
		AccessibleTopology: &csi.Topology{Segments: s.class.topology(s.nodeID)},
	}, nil
}

func (s *nodeServer) NodeGetCapabilities(
	context.Context, *csi.NodeGetCapabilitiesRequest,
) (*csi.NodeGetCapabilitiesResponse, error) {
	call := csi.NodeServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER
	return &csi.NodeGetCapabilitiesResponse{Capabilities: []*csi.NodeServiceCapability{{
		Type: &csi.NodeServiceCapability_Rpc{Rpc: &csi.NodeServiceCapability_RPC{Type: call}},
	}}}, nil
}

// NodePublishVolume mounts a volume for a pod. Asked again, it finds the mount.
func (s *nodeServer) NodePublishVolume(
	_ context.Context, request *csi.NodePublishVolumeRequest,
) (*csi.NodePublishVolumeResponse, error) {
	id, target := request.GetVolumeId(), request.GetTargetPath()
	if err := checkPlace(id, target); err != nil {
		return nil, err
	}
	if err := checkCapability(id, request.GetVolumeCapability()); err != nil {
		return nil, err
	}
	done, err := s.busy.begin(id)
	if err != nil {
		return nil, err
	}
	defer done()

	if err := s.checkHere(id); err != nil {
		return nil, err
	}
	mounts, err := mountsOf(s.volumes.data(id))
	if err != nil {
		return nil, status.Errorf(codes.Internal, "volume %s: %v", id, err)
	}
	mode := request.GetVolumeCapability().GetAccessMode().GetMode()
	for _, mount := range mounts {
		if mount.Mountpoint == target {
			return alreadyPublished(id, mount, request.GetReadonly())
		}
		if mode == csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER {
			return nil, status.Errorf(codes.FailedPrecondition, "volume %s may have one user only (ReadWriteOncePod) "+
				"and is mounted at %s", id, mount.Mountpoint)
		}
	}
	if err := s.publish(id, target, request.GetReadonly()); err != nil {
		return nil, err
	}
	return &csi.NodePublishVolumeResponse{}, nil
}

func (s *nodeServer) NodeUnpublishVolume(
	_ context.Context, request *csi.NodeUnpublishVolumeRequest,
) (*csi.NodeUnpublishVolumeResponse, error) {
	id, target := request.GetVolumeId(), request.GetTargetPath()
	if err := checkPlace(id, target); err != nil {
		return nil, err
	}
	done, err := s.busy.begin(id)
	if err != nil {
		return nil, err
	}
	defer done()
	// The volume itself may be gone: the mount must go all the same, or the pod never ends.
	if err := unmount(target); err != nil {
		return nil, status.Errorf(codes.Internal, "volume %s at %s: %v", id, target, err)
	}
	return &csi.NodeUnpublishVolumeResponse{}, nil
}

// checkHere refuses volumes that don't exist, or that belong to another node now.
func (s *nodeServer) checkHere(id string) error {
	found, err := s.volumes.get(id)
	if err != nil {
		return err
	}
	if s.class.attach && found.AttachedTo != s.nodeID {
		return status.Errorf(codes.FailedPrecondition, "volume %s must be attached to node %s, found %q",
			id, s.nodeID, found.AttachedTo)
	}
	return nil
}

func (s *nodeServer) publish(id, target string, readOnly bool) error {
	if err := os.MkdirAll(target, 0o750); err != nil {
		return status.Errorf(codes.Internal, "volume %s: %v", id, err)
	}
	mounted, err := mountinfo.Mounted(target)
	if err != nil {
		return status.Errorf(codes.Internal, "volume %s at %s: %v", id, target, err)
	}
	if mounted {
		return status.Errorf(codes.AlreadyExists, "volume %s: something else is mounted at %s", id, target)
	}
	if err := bind(s.volumes.data(id), target, readOnly); err != nil {
		return status.Errorf(codes.Internal, "volume %s at %s: %v", id, target, err)
	}
	return nil
}

// alreadyPublished accepts a mount that is as asked for. Another one may be in use and is left as it is.
func alreadyPublished(id string, mount *mountinfo.Info, readOnly bool) (*csi.NodePublishVolumeResponse, error) {
	if isReadOnly(mount) != readOnly {
		return nil, status.Errorf(codes.AlreadyExists, "volume %s is mounted at %s with readonly=%t, asked for is readonly=%t",
			id, mount.Mountpoint, !readOnly, readOnly)
	}
	return &csi.NodePublishVolumeResponse{}, nil
}

func checkPlace(id, target string) error {
	if err := checkVolumeID(id); err != nil {
		return err
	}
	if target == "" {
		return status.Errorf(codes.InvalidArgument, "volume %s: target path is missing", id)
	}
	if !filepath.IsAbs(target) || filepath.Clean(target) != target || target == "/" {
		return status.Errorf(codes.InvalidArgument, "volume %s: target path must be absolute and plain, found %q", id, target)
	}
	return nil
}
