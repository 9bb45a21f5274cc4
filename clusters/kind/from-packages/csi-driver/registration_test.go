package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	registerapi "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
)

// asKubelet dials what a driver has put into the kubelet's plugins_registry.
func asKubelet(t *testing.T, registry string) registerapi.RegistrationClient {
	t.Helper()
	socket := filepath.Join(registry, "node-folder.csi.poolwright.dev-reg.sock")
	connection, err := grpc.NewClient("unix://"+socket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	must(t, err)
	t.Cleanup(func() { _ = connection.Close() })
	return registerapi.NewRegistrationClient(connection)
}

func TestDriverIsReadyOnceTheKubeletHasTakenIt(t *testing.T) {
	registry := t.TempDir()
	leaveStaleSocket(t, filepath.Join(registry, "node-folder.csi.poolwright.dev-reg.sock"))
	endpoint, _, _ := startDriver(t, "--class", "node-folder", "--register-in", registry)
	if err := probe(t.Context(), endpoint); err == nil || !strings.Contains(err.Error(), "not registered") {
		t.Fatalf("expected not registered, found %v", err)
	}
	kubelet := asKubelet(t, registry)
	info, err := kubelet.GetInfo(t.Context(), &registerapi.InfoRequest{}, grpc.WaitForReady(true))
	must(t, err)
	if info.GetType() != "CSIPlugin" || info.GetName() != "node-folder.csi.poolwright.dev" || info.GetEndpoint() != endpoint {
		t.Fatalf("found %v", info)
	}
	_, err = kubelet.NotifyRegistrationStatus(t.Context(), &registerapi.RegistrationStatus{PluginRegistered: true})
	must(t, err)
	must(t, probe(t.Context(), endpoint))
}

func TestDriverEndsWhenTheKubeletRefusesIt(t *testing.T) {
	registry := t.TempDir()
	_, _, ended := startDriver(t, "--class", "node-folder", "--register-in", registry)
	_, err := asKubelet(t, registry).NotifyRegistrationStatus(t.Context(),
		&registerapi.RegistrationStatus{Error: "topology key changed"}, grpc.WaitForReady(true))
	must(t, err)
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "topology key changed") {
		t.Fatalf("expected the kubelet's reason, found %v", err)
	}
}

func TestStoppedDriverTakesItsSocketsAway(t *testing.T) {
	folder := t.TempDir()
	stop := startIn(t, folder)
	stop()
	if found := socketsIn(t, folder); len(found) > 0 {
		t.Fatalf("found %v", found)
	}
}

// A pod that is deleted by force has a successor while it still ends.
func TestStoppedDriverLeavesItsSuccessorAlone(t *testing.T) {
	folder := t.TempDir()
	stop := startIn(t, folder)
	stopSuccessor := startIn(t, folder)
	before := socketsIn(t, folder)
	stop()
	after := socketsIn(t, folder)
	if len(before) != 2 || len(after) != 2 {
		t.Fatalf("expected both sockets before and after, found %v, %v", before, after)
	}
	for path, file := range before {
		if !os.SameFile(file, after[path]) {
			t.Errorf("%s is another one", path)
		}
	}
	stopSuccessor()
	if found := socketsIn(t, folder); len(found) > 0 {
		t.Fatalf("found %v", found)
	}
}

func TestDriverOutOfTheRegistryIsNotReady(t *testing.T) {
	registry := t.TempDir()
	endpoint, _, _ := startDriver(t, "--class", "node-folder", "--register-in", registry)
	_, err := asKubelet(t, registry).NotifyRegistrationStatus(t.Context(),
		&registerapi.RegistrationStatus{PluginRegistered: true}, grpc.WaitForReady(true))
	must(t, err)
	must(t, probe(t.Context(), endpoint))
	must(t, os.Remove(filepath.Join(registry, "node-folder.csi.poolwright.dev-reg.sock")))
	if err := probe(t.Context(), endpoint); err == nil || !strings.Contains(err.Error(), "not registered") {
		t.Fatalf("expected not registered, found %v", err)
	}
}

// startIn runs a driver with both of its sockets in a folder, which may be another one's already, until it is stopped
// or the test ends. It resolves once the sockets are this driver's.
func startIn(t *testing.T, folder string) (stop func()) {
	t.Helper()
	chosen, err := parse([]string{"--class", "node-folder", "--node-id", testNode, "--data", folder,
		"--endpoint", filepath.Join(folder, "csi.sock"), "--register-in", folder})
	must(t, err)
	earlier := socketsIn(t, folder)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, chosen) }()
	t.Cleanup(cancel)
	eventually(t, "both sockets", func() bool {
		found := socketsIn(t, folder)
		for path, file := range found {
			if before, there := earlier[path]; there && os.SameFile(before, file) {
				return false
			}
		}
		return len(found) == 2
	})
	return func() {
		t.Helper()
		cancel()
		must(t, <-ended)
	}
}

func socketsIn(t *testing.T, folder string) map[string]os.FileInfo {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.sock"))
	must(t, err)
	found := map[string]os.FileInfo{}
	for _, path := range paths {
		// One may go between the two looks.
		if file, err := os.Lstat(path); err == nil {
			found[path] = file
		}
	}
	return found
}

// leaveStaleSocket leaves the file of a socket that nobody serves, as a killed process does.
func leaveStaleSocket(t *testing.T, path string) {
	t.Helper()
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	must(t, err)
	listener.SetUnlinkOnClose(false)
	must(t, listener.Close())
	_, err = os.Stat(path)
	must(t, err)
}
