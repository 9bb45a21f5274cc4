package main

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

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
	// Of one whose record is lost no attachment is left either; refused, it would stay attached for ever.
	if isUnknown(err) {
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

func (s *controllerServer) checkAttaches(id string) error {
	if !s.class.attach {
		return status.Errorf(codes.Unimplemented, "volumes of %s are not attached", s.class.driverName)
	}
	return checkVolumeID(id)
}
