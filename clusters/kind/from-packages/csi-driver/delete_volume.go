package main

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// DeleteVolume deletes a volume with its data. One that is not there is deleted already.
func (s *controllerServer) DeleteVolume(
	_ context.Context, request *csi.DeleteVolumeRequest,
) (*csi.DeleteVolumeResponse, error) {
	id := request.GetVolumeId()
	if err := checkVolumeID(id); err != nil {
		return nil, err
	}
	done, err := s.busy.begin(id)
	if err != nil {
		return nil, err
	}
	defer done()
	if err := s.checkUnused(id); err != nil {
		return nil, err
	}
	if err := s.volumes.remove(id); err != nil {
		return nil, err
	}
	return &csi.DeleteVolumeResponse{}, nil
}

// checkUnused refuses to delete data under a node or a pod. Other nodes' mounts can't be seen, their attachment can,
// unless its record is lost: then Kubernetes is believed, which doesn't ask while a node has the volume.
func (s *controllerServer) checkUnused(id string) error {
	found, err := s.volumes.get(id)
	if err != nil && !isUnknown(err) {
		return err
	}
	if found.AttachedTo != "" {
		return status.Errorf(codes.FailedPrecondition, "volume %s is still attached to node %s", id, found.AttachedTo)
	}
	return s.checkUnmounted(id)
}

func (s *controllerServer) checkUnmounted(id string) error {
	mounts, err := mountsOf(s.volumes.data(id))
	if err != nil {
		return status.Errorf(codes.Internal, "volume %s: %v", id, err)
	}
	if len(mounts) > 0 {
		return status.Errorf(codes.FailedPrecondition, "volume %s is still mounted at %s", id, mounts[0].Mountpoint)
	}
	return nil
}
