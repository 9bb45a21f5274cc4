package main

import (
	"context"
	"os"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// version is set by the linker.
var version = "dev"

// identityServer says who this is and whether it can be used yet.
type identityServer struct {
	csi.UnimplementedIdentityServer
	class      class
	volumes    *store
	controller bool
	// ready tells whether the kubelet knows the driver.
	ready func() bool
}

func (s *identityServer) GetPluginInfo(
	context.Context, *csi.GetPluginInfoRequest,
) (*csi.GetPluginInfoResponse, error) {
	return &csi.GetPluginInfoResponse{Name: s.class.driverName, VendorVersion: version}, nil
}

func (s *identityServer) GetPluginCapabilities(
	context.Context, *csi.GetPluginCapabilitiesRequest,
) (*csi.GetPluginCapabilitiesResponse, error) {
	services := []csi.PluginCapability_Service_Type{
		csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS,
	}
	if s.controller {
		services = append(services, csi.PluginCapability_Service_CONTROLLER_SERVICE)
	}
	response := &csi.GetPluginCapabilitiesResponse{}
	for _, service := range services {
		response.Capabilities = append(response.Capabilities, &csi.PluginCapability{
			Type: &csi.PluginCapability_Service_{Service: &csi.PluginCapability_Service{Type: service}},
		})
	}
	return response, nil
}

func (s *identityServer) Probe(context.Context, *csi.ProbeRequest) (*csi.ProbeResponse, error) {
	if _, err := os.Stat(s.volumes.path(volumesFolder)); err != nil {
		return nil, status.Errorf(codes.FailedPrecondition, "data folder: %v", err)
	}
	return &csi.ProbeResponse{Ready: wrapperspb.Bool(s.ready())}, nil
}
