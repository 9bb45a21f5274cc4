package main

import (
	"context"
	"maps"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// What the provisioner's --extra-create-metadata adds to a StorageClass's parameters begins with this.
const metadataPrefix = "csi.storage.k8s.io/"

// CreateVolume makes a volume whose id is its name, so that asking twice finds the first one.
func (s *controllerServer) CreateVolume(
	_ context.Context, request *csi.CreateVolumeRequest,
) (*csi.CreateVolumeResponse, error) {
	wanted := volume{ID: request.GetName(), Parameters: request.GetParameters()}
	if err := s.checkCreate(request); err != nil {
		return nil, err
	}
	done, err := s.busy.begin(wanted.ID)
	if err != nil {
		return nil, err
	}
	defer done()

	required, limit := request.GetCapacityRange().GetRequiredBytes(), request.GetCapacityRange().GetLimitBytes()
	existing, err := s.volumes.get(wanted.ID)
	if err == nil {
		if existing.Bytes < required || (limit > 0 && existing.Bytes > limit) {
			return nil, status.Errorf(codes.AlreadyExists, "volume %s exists with %d bytes, asked for are %d to %d",
				wanted.ID, existing.Bytes, required, limit)
		}
		if !maps.Equal(existing.Parameters, wanted.Parameters) {
			return nil, status.Errorf(codes.AlreadyExists, "volume %s exists with parameters %v, asked for are %v",
				wanted.ID, existing.Parameters, wanted.Parameters)
		}
		return s.created(existing), nil
	}
	if !isUnknown(err) {
		return nil, err
	}
	if err := s.checkUnmounted(wanted.ID); err != nil {
		return nil, err
	}
	wanted.Bytes = required
	if err := s.checkFree(wanted); err != nil {
		return nil, err
	}
	if err := s.volumes.clear(wanted.ID); err != nil {
		return nil, err
	}
	if err := s.volumes.create(wanted); err != nil {
		return nil, err
	}
	return s.created(wanted), nil
}

func (s *controllerServer) created(v volume) *csi.CreateVolumeResponse {
	return &csi.CreateVolumeResponse{Volume: &csi.Volume{
		VolumeId:           v.ID,
		CapacityBytes:      v.Bytes,
		AccessibleTopology: []*csi.Topology{{Segments: s.class.topology(s.nodeID)}},
	}}
}

func (s *controllerServer) checkCreate(request *csi.CreateVolumeRequest) error {
	name := request.GetName()
	if name == "" {
		return status.Error(codes.InvalidArgument, "volume name is missing")
	}
	if err := checkVolumeID(name); err != nil {
		return err
	}
	if len(request.GetVolumeCapabilities()) == 0 {
		return status.Errorf(codes.InvalidArgument, "volume %s: volume capabilities are missing", name)
	}
	for _, capability := range request.GetVolumeCapabilities() {
		if err := checkCapability(name, capability); err != nil {
			return err
		}
	}
	for key := range request.GetParameters() {
		if !strings.HasPrefix(key, metadataPrefix) {
			return status.Errorf(codes.InvalidArgument, "volume %s: StorageClass parameter %q is not known, "+
				"there are none", name, key)
		}
	}
	if len(request.GetMutableParameters()) > 0 {
		return status.Errorf(codes.InvalidArgument, "volume %s: a VolumeAttributesClass is not supported", name)
	}
	if request.GetVolumeContentSource() != nil {
		return status.Errorf(codes.InvalidArgument, "volume %s: a dataSource is not supported", name)
	}
	return s.checkRequirements(request)
}

// checkRequirements refuses sizes that contradict themselves and places that can't reach this folder.
func (s *controllerServer) checkRequirements(request *csi.CreateVolumeRequest) error {
	name := request.GetName()
	required, limit := request.GetCapacityRange().GetRequiredBytes(), request.GetCapacityRange().GetLimitBytes()
	if required < 0 || limit < 0 || (limit > 0 && limit < required) {
		return status.Errorf(codes.InvalidArgument, "volume %s: capacity range of %d to %d bytes is empty",
			name, required, limit)
	}
	places := request.GetAccessibilityRequirements().GetRequisite()
	for _, place := range places {
		if s.reaches(place) {
			return nil
		}
	}
	if len(places) > 0 {
		return status.Errorf(codes.ResourceExhausted, "volume %s: asked for where %s=%s can't be reached",
			name, s.class.topologyKey, s.class.segment(s.nodeID))
	}
	return nil
}

// checkFree refuses what the disk could not take now. Nothing is reserved.
func (s *controllerServer) checkFree(wanted volume) error {
	free, err := s.volumes.freeBytes()
	if err != nil {
		return err
	}
	if wanted.Bytes > free {
		return status.Errorf(codes.ResourceExhausted, "volume %s: %d bytes asked for, %d are free",
			wanted.ID, wanted.Bytes, free)
	}
	return nil
}
