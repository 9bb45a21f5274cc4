package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"golang.org/x/sys/unix"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const testNode = "data-1"

// startDriver runs the program on a socket of its own until the test ends, and waits until it answers.
func startDriver(t testing.TB, arguments ...string) (endpoint, data string, ended <-chan error) {
	t.Helper()
	folder := t.TempDir()
	endpoint, data = filepath.Join(folder, "csi.sock"), filepath.Join(folder, "data")
	must(t, os.Mkdir(data, 0o755))
	chosen, err := parse(append([]string{"--node-id", testNode, "--endpoint", endpoint, "--data", data}, arguments...))
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() { result <- run(ctx, chosen) }()
	t.Cleanup(cancel)
	eventually(t, "socket of the driver", func() bool {
		if len(result) > 0 {
			t.Fatal(<-result)
		}
		_, err := os.Stat(endpoint)
		return err == nil
	})
	return endpoint, data, result
}

// newServers makes both services of a class over one empty folder, without a socket.
func newServers(t *testing.T, className string) (*controllerServer, *nodeServer) {
	t.Helper()
	class, err := findClass(className)
	must(t, err)
	volumes, err := openStore(t.TempDir())
	must(t, err)
	must(t, volumes.announceNode(testNode))
	busy := &inFlight{}
	return &controllerServer{class: class, nodeID: testNode, volumes: volumes, busy: busy},
		&nodeServer{class: class, nodeID: testNode, volumes: volumes, busy: busy}
}

// needMounts skips a test where the machine doesn't let it mount.
func needMounts(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("mounting needs root")
	}
	folder := t.TempDir()
	if err := unix.Mount(folder, folder, "", unix.MS_BIND, ""); errors.Is(err, unix.EPERM) {
		t.Skip("this machine allows no mounts, not even to root")
	} else if err != nil {
		t.Fatal(err)
	}
	must(t, unix.Unmount(folder, 0))
}

func createRequest(name string) *csi.CreateVolumeRequest {
	return &csi.CreateVolumeRequest{
		Name:               name,
		CapacityRange:      &csi.CapacityRange{RequiredBytes: 1 << 20},
		VolumeCapabilities: []*csi.VolumeCapability{capability(csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER)},
	}
}

func capability(mode csi.VolumeCapability_AccessMode_Mode) *csi.VolumeCapability {
	return &csi.VolumeCapability{
		AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}},
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: mode},
	}
}

func expectCode(t *testing.T, err error, expected codes.Code) {
	t.Helper()
	if status.Code(err) != expected {
		t.Fatalf("expected %s, found %v", expected, err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// eventually asks again until a condition holds; the bound is only there so that a failure ends.
func eventually(t testing.TB, what string, condition func() bool) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for !condition() {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not seen", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}
