package main

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
	registerapi "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
)

// CSI version as the kubelet counts it: the major one of the specification.
const supportedVersion = "1.0.0"

// registration is how a kubelet learns of a driver: it finds the socket in its plugins_registry, asks who that is, and
// dials the driver's own socket. It stands in for the node-driver-registrar that usually does this beside a driver.
type registration struct {
	registerapi.UnimplementedRegistrationServer
	driverName string
	// endpoint is the driver's socket by the path that the kubelet sees.
	endpoint string
	// taken tells whether the kubelet has taken the driver in.
	taken   atomic.Bool
	socket  atomic.Pointer[ownSocket]
	refused chan error
}

func newRegistration(driverName, endpoint string) *registration {
	return &registration{driverName: driverName, endpoint: endpoint, refused: make(chan error, 1)}
}

// serve waits in the kubelet's plugins_registry until the context ends or the kubelet refuses the driver.
func (r *registration) serve(ctx context.Context, registry string) error {
	listener, err := listen(filepath.Join(registry, r.driverName+"-reg.sock"))
	if err != nil {
		return err
	}
	r.socket.Store(listener)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return serve(ctx, listener, func(server *grpc.Server) {
			registerapi.RegisterRegistrationServer(server, r)
		})
	})
	group.Go(func() error {
		select {
		case err := <-r.refused:
			return err
		case <-ctx.Done():
			return nil
		}
	})
	return group.Wait()
}

// registered tells whether the kubelet knows the driver, and goes on to: it forgets one whose socket it no longer finds.
func (r *registration) registered() bool {
	socket := r.socket.Load()
	return r.taken.Load() && socket != nil && socket.isThere()
}

func (r *registration) GetInfo(context.Context, *registerapi.InfoRequest) (*registerapi.PluginInfo, error) {
	return &registerapi.PluginInfo{
		Type:              registerapi.CSIPlugin,
		Name:              r.driverName,
		Endpoint:          r.endpoint,
		SupportedVersions: []string{supportedVersion},
	}, nil
}

// NotifyRegistrationStatus ends the program when the kubelet refuses it: started again, it asks again.
func (r *registration) NotifyRegistrationStatus(
	_ context.Context, result *registerapi.RegistrationStatus,
) (*registerapi.RegistrationStatusResponse, error) {
	r.taken.Store(result.GetPluginRegistered())
	if result.GetPluginRegistered() {
		slog.Info("registered with the kubelet", "driver", r.driverName)
		return &registerapi.RegistrationStatusResponse{}, nil
	}
	select {
	case r.refused <- errors.New("the kubelet refused the driver: " + result.GetError()):
	default:
	}
	return &registerapi.RegistrationStatusResponse{}, nil
}
