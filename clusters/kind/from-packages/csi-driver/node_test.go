package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"golang.org/x/sys/unix"
	"google.golang.org/grpc/codes"
)

// A pod's view of one volume on this node.
type pod struct {
	t      *testing.T
	node   *nodeServer
	target string
}

func newPod(t *testing.T, node *nodeServer) pod {
	p := pod{t, node, filepath.Join(t.TempDir(), "a b", "mount")}
	t.Cleanup(func() { _ = unmount(p.target) })
	return p
}

func (p pod) publish(mode csi.VolumeCapability_AccessMode_Mode, readOnly bool) error {
	_, err := p.node.NodePublishVolume(p.t.Context(), &csi.NodePublishVolumeRequest{
		VolumeId: "pvc-1", TargetPath: p.target, VolumeCapability: capability(mode), Readonly: readOnly,
	})
	return err
}

func (p pod) unpublish() error {
	_, err := p.node.NodeUnpublishVolume(p.t.Context(), &csi.NodeUnpublishVolumeRequest{
		VolumeId: "pvc-1", TargetPath: p.target,
	})
	return err
}

func (p pod) write(name string) error {
	return os.WriteFile(filepath.Join(p.target, name), nil, 0o600)
}

// newVolume makes pvc-1 of a class that does not attach.
func newVolume(t *testing.T) (*controllerServer, *nodeServer) {
	needMounts(t)
	controller, node := newServers(t, "node-folder")
	_, err := controller.CreateVolume(t.Context(), createRequest("pvc-1"))
	must(t, err)
	return controller, node
}

const (
	readWriteOnce    = csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER
	readWriteOncePod = csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER
)

func TestDataOutlivesThePodNotTheVolume(t *testing.T) {
	controller, node := newVolume(t)
	first, second := newPod(t, node), newPod(t, node)
	must(t, first.publish(readWriteOnce, false))
	must(t, first.publish(readWriteOnce, false))
	must(t, first.write("marker"))
	_, err := controller.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: "pvc-1"})
	expectCode(t, err, codes.FailedPrecondition)
	must(t, first.unpublish())
	must(t, first.unpublish())

	must(t, second.publish(readWriteOnce, false))
	if _, err := os.Stat(filepath.Join(second.target, "marker")); err != nil {
		t.Fatal(err)
	}
	must(t, second.unpublish())
	_, err = controller.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: "pvc-1"})
	must(t, err)
	expectCode(t, second.publish(readWriteOnce, false), codes.NotFound)
}

func TestReadWriteOnceHasManyPodsReadWriteOncePodOne(t *testing.T) {
	_, node := newVolume(t)
	first, second := newPod(t, node), newPod(t, node)
	must(t, first.publish(readWriteOnce, false))
	must(t, second.publish(readWriteOnce, false))
	must(t, second.unpublish())
	expectCode(t, second.publish(readWriteOncePod, false), codes.FailedPrecondition)
	must(t, first.unpublish())
	must(t, second.publish(readWriteOncePod, false))
	must(t, second.publish(readWriteOncePod, false))
}

func TestReadOnlyMountTakesNoWrites(t *testing.T) {
	_, node := newVolume(t)
	reader, writer := newPod(t, node), newPod(t, node)
	must(t, reader.publish(readWriteOnce, true))
	must(t, writer.publish(readWriteOnce, false))
	if err := reader.write("marker"); !errors.Is(err, unix.EROFS) {
		t.Fatalf("expected a read-only file system, found %v", err)
	}
	must(t, writer.write("marker"))
	expectCode(t, reader.publish(readWriteOnce, false), codes.AlreadyExists)
}

func TestMountInUseIsNotTurnedReadOnly(t *testing.T) {
	_, node := newVolume(t)
	p := newPod(t, node)
	must(t, p.publish(readWriteOnce, false))
	expectCode(t, p.publish(readWriteOnce, true), codes.AlreadyExists)
	must(t, p.write("marker"))
}

// The kubelet sees what the driver mounts only because it propagates, as it does here from one folder to the other.
func TestReadOnlyMountIsReadOnlyWhereItPropagatesTo(t *testing.T) {
	_, node := newVolume(t)
	driver, kubelet := t.TempDir(), t.TempDir()
	t.Cleanup(func() {
		_ = unmount(filepath.Join(driver, "mount"))
		must(t, errors.Join(unix.Unmount(kubelet, 0), unix.Unmount(driver, 0)))
	})
	must(t, unix.Mount(driver, driver, "", unix.MS_BIND, ""))
	must(t, unix.Mount("", driver, "", unix.MS_SHARED, ""))
	must(t, unix.Mount(driver, kubelet, "", unix.MS_BIND, ""))
	must(t, pod{t, node, filepath.Join(driver, "mount")}.publish(readWriteOnce, true))
	if err := (pod{t, node, filepath.Join(kubelet, "mount")}).write("marker"); !errors.Is(err, unix.EROFS) {
		t.Fatalf("expected a read-only file system, found %v", err)
	}
}

func TestVolumeWhoseRecordIsLostIsNotDeletedUnderAPod(t *testing.T) {
	needMounts(t)
	controller, node := newServers(t, "node-folder")
	_, err := controller.CreateVolume(t.Context(), createRequest("pvc-1"))
	must(t, err)
	p := newPod(t, node)
	must(t, p.publish(readWriteOnce, false))
	for _, spoil := range []func(path string) error{
		func(path string) error { return os.Truncate(path, 0) },
		os.Remove,
	} {
		must(t, spoil(controller.volumes.path(volumesFolder, "pvc-1", recordFile)))
		_, err := controller.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: "pvc-1"})
		expectCode(t, err, codes.FailedPrecondition)
		_, err = controller.CreateVolume(t.Context(), createRequest("pvc-1"))
		expectCode(t, err, codes.FailedPrecondition)
	}
	must(t, p.write("marker"))
	must(t, p.unpublish())
	_, err = controller.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: "pvc-1"})
	must(t, err)
}

func TestAnotherMountAtTheTargetIsLeftAlone(t *testing.T) {
	_, node := newVolume(t)
	p := newPod(t, node)
	must(t, os.MkdirAll(p.target, 0o750))
	must(t, unix.Mount(t.TempDir(), p.target, "", unix.MS_BIND, ""))
	expectCode(t, p.publish(readWriteOnce, false), codes.AlreadyExists)
}

func TestDataInAnUnmountedTargetIsNotDeleted(t *testing.T) {
	_, node := newVolume(t)
	p := newPod(t, node)
	must(t, os.MkdirAll(p.target, 0o750))
	must(t, p.write("marker"))
	expectCode(t, p.unpublish(), codes.Internal)
	if _, err := os.Stat(filepath.Join(p.target, "marker")); err != nil {
		t.Fatal(err)
	}
}

func TestMountOfAVolumeThatIsGoneStillGoes(t *testing.T) {
	controller, node := newVolume(t)
	p := newPod(t, node)
	must(t, p.publish(readWriteOnce, false))
	must(t, controller.volumes.remove("pvc-1"))
	must(t, p.unpublish())
	if _, err := os.Stat(p.target); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("expected no target, found %v", err)
	}
}

func TestVolumeOfAnotherNodeIsNotMounted(t *testing.T) {
	needMounts(t)
	controller, node := newServers(t, "shared-folder")
	_, err := controller.CreateVolume(t.Context(), createRequest("pvc-1"))
	must(t, err)
	p := newPod(t, node)
	expectCode(t, p.publish(readWriteOnce, false), codes.FailedPrecondition)
	must(t, controller.volumes.update(volume{ID: "pvc-1", AttachedTo: "data-2"}))
	expectCode(t, p.publish(readWriteOnce, false), codes.FailedPrecondition)
	must(t, controller.volumes.update(volume{ID: "pvc-1", AttachedTo: testNode}))
	must(t, p.publish(readWriteOnce, false))
}

func TestTargetsThatArePathsToElsewhereAreRefused(t *testing.T) {
	_, node := newServers(t, "node-folder")
	for _, target := range []string{"", "/", "relative", "/pods/../../etc", "/pods/"} {
		expectCode(t, pod{t, node, target}.publish(readWriteOnce, false), codes.InvalidArgument)
		expectCode(t, pod{t, node, target}.unpublish(), codes.InvalidArgument)
	}
}
