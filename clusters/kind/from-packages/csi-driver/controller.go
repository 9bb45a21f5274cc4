package main

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Free space is told in whole GiB, or every byte that a pod writes would become a write to the API.
const capacityUnit = int64(1) << 30

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

func (s *controllerServer) reaches(place *csi.Topology) bool {
	return place.GetSegments()[s.class.topologyKey] == s.class.segment(s.nodeID)
}
