// Poolwright-csi is a small CSI driver for test clusters, a stand-in for a real storage system: its volumes are
// folders, with the life cycle, topology, attachment and refusals of real ones, but without limits of size or speed.
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
)

// options are what the command line says.
type options struct {
	class      class
	controller bool
	node       bool
	nodeID     string
	endpoint   string
	data       string
	registry   string
	probe      bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	chosen, err := parse(os.Args[1:])
	if err == nil && chosen.probe {
		err = probe(ctx, chosen.endpoint)
	} else if err == nil {
		err = run(ctx, chosen)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "poolwright-csi:", err)
		os.Exit(1)
	}
}

func parse(arguments []string) (options, error) {
	flags := flag.NewFlagSet("poolwright-csi", flag.ContinueOnError)
	className := flags.String("class", "", "`CLASS` of volumes: node-folder or shared-folder")
	services := flags.String("services", "controller,node", "what to serve: controller, node or both")
	chosen := options{}
	flags.StringVar(&chosen.nodeID, "node-id", "", "name of the node that this runs on")
	flags.StringVar(&chosen.endpoint, "endpoint", "/csi/csi.sock", "socket to serve, by the path that the kubelet sees")
	flags.StringVar(&chosen.data, "data", "/data", "existing `FOLDER` that holds the volumes")
	flags.StringVar(&chosen.registry, "register-in", "", "the kubelet's plugins_registry `FOLDER`; empty: don't register")
	flags.BoolVar(&chosen.probe, "probe", false, "ask the driver at --endpoint whether it is ready, and exit")
	if err := flags.Parse(arguments); err != nil {
		return options{}, err
	}
	if flags.NArg() > 0 {
		return options{}, fmt.Errorf("arguments are all --options, found %q", flags.Arg(0))
	}
	if chosen.probe {
		return chosen, nil
	}
	return chosen, chosen.complete(*className, *services)
}

func (o *options) complete(className, services string) error {
	var err error
	if o.class, err = findClass(className); err != nil {
		return err
	}
	for _, service := range strings.Split(services, ",") {
		switch service {
		case "controller":
			o.controller = true
		case "node":
			o.node = true
		default:
			return fmt.Errorf("--services must be controller, node or both, found %q", service)
		}
	}
	if o.nodeID == "" {
		return fmt.Errorf("--node-id is missing")
	}
	return nil
}

// run serves what was chosen until the context ends or the kubelet refuses the driver.
func run(ctx context.Context, chosen options) error {
	volumes, err := prepare(chosen)
	if err != nil {
		return err
	}
	registration := newRegistration(chosen.class.driverName, chosen.endpoint)
	// The driver's socket is there before the kubelet can hear of it.
	driver, err := listen(chosen.endpoint)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		registered := func() bool { return chosen.registry == "" || registration.registered() }
		return serve(ctx, driver, chosen.services(volumes, registered))
	})
	if chosen.registry != "" {
		group.Go(func() error { return registration.serve(ctx, chosen.registry) })
	}
	slog.Info("serving", "driver", chosen.class.driverName, "version", version, "endpoint", chosen.endpoint)
	return group.Wait()
}

// prepare opens the data folder. What a crash left there goes; this node's mark is set.
func prepare(chosen options) (*store, error) {
	volumes, err := openStore(chosen.data)
	if err != nil {
		return nil, err
	}
	if chosen.controller {
		if err := volumes.sweep(); err != nil {
			return nil, fmt.Errorf("data folder: %w", err)
		}
	}
	if chosen.node {
		if err := volumes.announceNode(chosen.nodeID); err != nil {
			return nil, fmt.Errorf("data folder: %w", err)
		}
	}
	return volumes, nil
}

func (o options) services(volumes *store, ready func() bool) func(*grpc.Server) {
	busy := &inFlight{}
	return func(server *grpc.Server) {
		csi.RegisterIdentityServer(server, &identityServer{
			class: o.class, volumes: volumes, controller: o.controller, ready: ready,
		})
		if o.controller {
			csi.RegisterControllerServer(server, &controllerServer{
				class: o.class, nodeID: o.nodeID, volumes: volumes, busy: busy,
			})
		}
		if o.node {
			csi.RegisterNodeServer(server, &nodeServer{
				class: o.class, nodeID: o.nodeID, volumes: volumes, busy: busy,
			})
		}
	}
}
