package main

import (
	"context"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const (
	// Free space is told in whole GiB, or every byte that a pod writes would become a write to the API.
	capacityUnit = int64(1) << 30
	// What the provisioner's --extra-create-metadata adds to a StorageClass's parameters begins with this.
	metadataPrefix = "csi.storage.k8s.io/"
)

// controllerServer makes, deletes and, where the class attaches, hands volumes to one node at a time.
type controllerServer struct {
	csi.UnimplementedControllerServer
	class   class
	nodeID  string
	volumes *store
	busy    *inFlight
}

func (s *controllerServer) ControllerGetCapabilities(
	context.Context, *csi.ControllerGetCapabilitiesRequest,
) (*csi.ControllerGetCapabilitiesResponse, error) {
	calls := []csi.ControllerServiceCapability_RPC_Type{
		csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME,
		csi.ControllerServiceCapability_RPC_GET_CAPACITY,
		csi.ControllerServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER,
	}
	if s.class.attach {
		calls = append(calls, csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME)
	}
	response := &csi.ControllerGetCapabilitiesResponse{}
	for _, call := range calls {
		response.Capabilities = append(response.Capabilities, &csi.ControllerServiceCapability{
			Type: &csi.ControllerServiceCapability_Rpc{Rpc: &csi.ControllerServiceCapability_RPC{Type: call}},
		})
	}
	return response, nil
}

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
		return s.created(existing), nil
	}
	if status.Code(err) != codes.NotFound {
		return nil, err
	}
	wanted.Bytes = required
	if err := s.checkFree(wanted); err != nil {
		return nil, err
	}
	if err := s.volumes.create(wanted); err != nil {
		return nil, err
	}
	return s.created(wanted), nil
}

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

func (s *controllerServer) ValidateVolumeCapabilities(
	_ context.Context, request *csi.ValidateVolumeCapabilitiesRequest,
) (*csi.ValidateVolumeCapabilitiesResponse, error) {
	id := request.GetVolumeId()
	if err := checkVolumeID(id); err != nil {
		return nil, err
	}
	if len(request.GetVolumeCapabilities()) == 0 {
		return nil, status.Errorf(codes.InvalidArgument, "volume %s: volume capabilities are missing", id)
	}
	if _, err := s.volumes.get(id); err != nil {
		return nil, err
	}
	for _, capability := range request.GetVolumeCapabilities() {
		if reason := unsupported(capability); reason != "" {
			return &csi.ValidateVolumeCapabilitiesResponse{Message: reason}, nil
		}
	}
	return &csi.ValidateVolumeCapabilitiesResponse{
		Confirmed: &csi.ValidateVolumeCapabilitiesResponse_Confirmed{
			VolumeCapabilities: request.GetVolumeCapabilities(),
		},
	}, nil
}

// GetCapacity tells the scheduler, by way of CSIStorageCapacity objects, how much a node could still take.
func (s *controllerServer) GetCapacity(
	_ context.Context, request *csi.GetCapacityRequest,
) (*csi.GetCapacityResponse, error) {
	topology := request.GetAccessibleTopology()
	if topology != nil && !s.reaches(topology) {
		return &csi.GetCapacityResponse{}, nil
	}
	for _, capability := range request.GetVolumeCapabilities() {
		if unsupported(capability) != "" {
			return &csi.GetCapacityResponse{}, nil
		}
	}
	free, err := s.volumes.freeBytes()
	if err != nil {
		return nil, err
	}
	return &csi.GetCapacityResponse{AvailableCapacity: free / capacityUnit * capacityUnit}, nil
}

// ControllerPublishVolume hands a volume to a node. The record of it is what NodePublishVolume goes by.
func (s *controllerServer) ControllerPublishVolume(
	_ context.Context, request *csi.ControllerPublishVolumeRequest,
) (*csi.ControllerPublishVolumeResponse, error) {
	id, node := request.GetVolumeId(), request.GetNodeId()
	if err := s.checkAttaches(id); err != nil {
		return nil, err
	}
	if node == "" {
		return nil, status.Errorf(codes.InvalidArgument, "volume %s: node id is missing", id)
	}
	if err := checkCapability(id, request.GetVolumeCapability()); err != nil {
		return nil, err
	}
	if request.GetReadonly() {
		return nil, status.Errorf(codes.InvalidArgument, "volume %s: a volume can't be attached read-only", id)
	}
	done, err := s.busy.begin(id)
	if err != nil {
		return nil, err
	}
	defer done()

	found, err := s.volumes.get(id)
	if err != nil {
		return nil, err
	}
	if !s.volumes.knowsNode(node) {
		return nil, status.Errorf(codes.NotFound, "volume %s: node %s has left no mark in the data folder: "+
			"the driver does not run there, or has another folder mounted", id, node)
	}
	if found.AttachedTo != "" && found.AttachedTo != node {
		return nil, status.Errorf(codes.FailedPrecondition, "volume %s is attached to node %s, asked for is %s",
			id, found.AttachedTo, node)
	}
	found.AttachedTo = node
	if err := s.volumes.update(found); err != nil {
		return nil, err
	}
	return &csi.ControllerPublishVolumeResponse{}, nil
}

// ControllerUnpublishVolume takes a volume from a node. Kubernetes calls it for a node that is lost, too: nothing here
// stops a pod that still writes there.
func (s *controllerServer) ControllerUnpublishVolume(
	_ context.Context, request *csi.ControllerUnpublishVolumeRequest,
) (*csi.ControllerUnpublishVolumeResponse, error) {
	id, node := request.GetVolumeId(), request.GetNodeId()
	if err := s.checkAttaches(id); err != nil {
		return nil, err
	}
	done, err := s.busy.begin(id)
	if err != nil {
		return nil, err
	}
	defer done()

	found, err := s.volumes.get(id)
	if status.Code(err) == codes.NotFound {
		return &csi.ControllerUnpublishVolumeResponse{}, nil
	}
	if err != nil {
		return nil, err
	}
	// Without a node it is taken from all of them; from another than it is on, it is taken already.
	if found.AttachedTo != "" && (node == "" || node == found.AttachedTo) {
		found.AttachedTo = ""
		if err := s.volumes.update(found); err != nil {
			return nil, err
		}
	}
	return &csi.ControllerUnpublishVolumeResponse{}, nil
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

// checkUnused refuses to delete data under a node or a pod. Other nodes' mounts can't be seen, their attachment can.
func (s *controllerServer) checkUnused(id string) error {
	found, err := s.volumes.get(id)
	if status.Code(err) == codes.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	if found.AttachedTo != "" {
		return status.Errorf(codes.FailedPrecondition, "volume %s is still attached to node %s", id, found.AttachedTo)
	}
	mounts, err := mountsOf(s.volumes.data(id))
	if err != nil {
		return status.Errorf(codes.Internal, "volume %s: %v", id, err)
	}
	if len(mounts) > 0 {
		return status.Errorf(codes.FailedPrecondition, "volume %s is still mounted at %s", id, mounts[0].Mountpoint)
	}
	return nil
}

func (s *controllerServer) checkAttaches(id string) error {
	if !s.class.attach {
		return status.Errorf(codes.Unimplemented, "volumes of %s are not attached", s.class.driverName)
	}
	return checkVolumeID(id)
}

func (s *controllerServer) created(v volume) *csi.CreateVolumeResponse {
	return &csi.CreateVolumeResponse{Volume: &csi.Volume{
		VolumeId:           v.ID,
		CapacityBytes:      v.Bytes,
		AccessibleTopology: []*csi.Topology{{Segments: s.class.topology(s.nodeID)}},
	}}
}

func (s *controllerServer) reaches(place *csi.Topology) bool {
	return place.GetSegments()[s.class.topologyKey] == s.class.segment(s.nodeID)
}
