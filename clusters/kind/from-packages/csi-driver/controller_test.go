package main

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
)

func TestCreateRefusesWhatItWouldHaveToIgnore(t *testing.T) {
	controller, _ := newServers(t, "node-folder")
	for name, spoil := range map[string]func(*csi.CreateVolumeRequest){
		"unknown parameter": func(r *csi.CreateVolumeRequest) { r.Parameters = map[string]string{"tier": "fast"} },
		"ReadWriteMany": func(r *csi.CreateVolumeRequest) {
			r.VolumeCapabilities[0] = capability(csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER)
		},
		"ReadOnlyMany": func(r *csi.CreateVolumeRequest) {
			r.VolumeCapabilities[0] = capability(csi.VolumeCapability_AccessMode_MULTI_NODE_READER_ONLY)
		},
		"block device": func(r *csi.CreateVolumeRequest) {
			r.VolumeCapabilities[0].AccessType = &csi.VolumeCapability_Block{Block: &csi.VolumeCapability_BlockVolume{}}
		},
		"file system":    func(r *csi.CreateVolumeRequest) { r.VolumeCapabilities[0].GetMount().FsType = "xfs" },
		"mount options":  func(r *csi.CreateVolumeRequest) { r.VolumeCapabilities[0].GetMount().MountFlags = []string{"ro"} },
		"data source":    func(r *csi.CreateVolumeRequest) { r.VolumeContentSource = &csi.VolumeContentSource{} },
		"attributes":     func(r *csi.CreateVolumeRequest) { r.MutableParameters = map[string]string{"iops": "1"} },
		"empty range":    func(r *csi.CreateVolumeRequest) { r.CapacityRange.LimitBytes = 1 },
		"traversal":      func(r *csi.CreateVolumeRequest) { r.Name = "../../etc" },
		"no capability":  func(r *csi.CreateVolumeRequest) { r.VolumeCapabilities = nil },
		"negative range": func(r *csi.CreateVolumeRequest) { r.CapacityRange.RequiredBytes = -1 },
	} {
		t.Run(name, func(t *testing.T) {
			request := createRequest("pvc-1")
			spoil(request)
			_, err := controller.CreateVolume(t.Context(), request)
			expectCode(t, err, codes.InvalidArgument)
		})
	}
}

func TestCreateOnAnotherNodeOrBeyondTheDiskIsExhausted(t *testing.T) {
	controller, _ := newServers(t, "node-folder")
	elsewhere := createRequest("pvc-1")
	elsewhere.AccessibilityRequirements = &csi.TopologyRequirement{
		Requisite: []*csi.Topology{{Segments: controller.class.topology("data-2")}},
	}
	_, err := controller.CreateVolume(t.Context(), elsewhere)
	// The code by which the provisioner asks the scheduler for another node.
	expectCode(t, err, codes.ResourceExhausted)

	huge := createRequest("pvc-2")
	huge.CapacityRange.RequiredBytes = math.MaxInt64
	_, err = controller.CreateVolume(t.Context(), huge)
	expectCode(t, err, codes.ResourceExhausted)
}

func TestVolumeKeepsTheClaimItWasMadeFor(t *testing.T) {
	controller, _ := newServers(t, "node-folder")
	request := createRequest("pvc-1")
	request.Parameters = map[string]string{"csi.storage.k8s.io/pvc/name": "world"}
	_, err := controller.CreateVolume(t.Context(), request)
	must(t, err)
	text, err := os.ReadFile(filepath.Join(controller.volumes.root, "volumes", "pvc-1", "volume.json"))
	must(t, err)
	if !strings.Contains(string(text), `"world"`) {
		t.Fatalf("expected the claim's name, found %s", text)
	}
}

func TestSameNameWithOtherParametersIsTakenForAnotherVolume(t *testing.T) {
	controller, _ := newServers(t, "node-folder")
	create := func(claim string) error {
		request := createRequest("pvc-1")
		request.Parameters = map[string]string{"csi.storage.k8s.io/pvc/name": claim}
		_, err := controller.CreateVolume(t.Context(), request)
		return err
	}
	must(t, create("world"))
	must(t, create("world"))
	expectCode(t, create("other"), codes.AlreadyExists)
	_, err := controller.CreateVolume(t.Context(), createRequest("pvc-1"))
	expectCode(t, err, codes.AlreadyExists)
}

// What a disk or an editor may leave of a record.
var brokenRecords = map[string]string{
	"empty": "", "cut off": `{"id": "pvc-1", "by`, "nothing": "null", "another's": `{"id": "pvc-2"}`,
}

// newBrokenVolume makes pvc-1, whose record is lost then.
func newBrokenVolume(t *testing.T, className, record string) (*controllerServer, *nodeServer) {
	t.Helper()
	controller, node := newServers(t, className)
	_, err := controller.CreateVolume(t.Context(), createRequest("pvc-1"))
	must(t, err)
	must(t, os.WriteFile(controller.volumes.path(volumesFolder, "pvc-1", recordFile), []byte(record), 0o640))
	return controller, node
}

func TestVolumeWhoseRecordIsLostCanBeDetachedAndDeleted(t *testing.T) {
	for name, record := range brokenRecords {
		t.Run(name, func(t *testing.T) {
			controller, _ := newBrokenVolume(t, "shared-folder", record)
			_, err := controller.ControllerPublishVolume(t.Context(), &csi.ControllerPublishVolumeRequest{
				VolumeId: "pvc-1", NodeId: testNode,
				VolumeCapability: capability(csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER),
			})
			expectCode(t, err, codes.DataLoss)
			_, err = controller.ControllerUnpublishVolume(t.Context(),
				&csi.ControllerUnpublishVolumeRequest{VolumeId: "pvc-1", NodeId: testNode})
			must(t, err)
			_, err = controller.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: "pvc-1"})
			must(t, err)
			if _, err := os.Stat(controller.volumes.path(volumesFolder, "pvc-1")); !errors.Is(err, fs.ErrNotExist) {
				t.Fatalf("expected no volume, found %v", err)
			}
		})
	}
}

func TestVolumeWhoseRecordIsLostIsMadeAnewUnlessItHoldsData(t *testing.T) {
	for name, record := range brokenRecords {
		t.Run(name, func(t *testing.T) {
			controller, _ := newBrokenVolume(t, "node-folder", record)
			_, err := controller.CreateVolume(t.Context(), createRequest("pvc-1"))
			must(t, err)
			_, err = controller.volumes.get("pvc-1")
			must(t, err)
		})
	}
	controller, _ := newBrokenVolume(t, "node-folder", "")
	marker := filepath.Join(controller.volumes.data("pvc-1"), "marker")
	must(t, os.WriteFile(marker, nil, 0o600))
	_, err := controller.CreateVolume(t.Context(), createRequest("pvc-1"))
	expectCode(t, err, codes.FailedPrecondition)
	_, err = os.Stat(marker)
	must(t, err)

	must(t, os.Remove(marker))
	must(t, os.Remove(controller.volumes.path(volumesFolder, "pvc-1", recordFile)))
	_, err = controller.CreateVolume(t.Context(), createRequest("pvc-1"))
	must(t, err)
}

func TestCapacityElsewhereIsNone(t *testing.T) {
	controller, _ := newServers(t, "node-folder")
	elsewhere := &csi.Topology{Segments: controller.class.topology("data-2")}
	response, err := controller.GetCapacity(t.Context(), &csi.GetCapacityRequest{AccessibleTopology: elsewhere})
	must(t, err)
	if response.GetAvailableCapacity() != 0 {
		t.Fatalf("found %d bytes on another node", response.GetAvailableCapacity())
	}
}

func TestVolumeIsAttachedToOneNodeAtATime(t *testing.T) {
	controller, _ := newServers(t, "shared-folder")
	must(t, controller.volumes.announceNode("data-2"))
	_, err := controller.CreateVolume(t.Context(), createRequest("pvc-1"))
	must(t, err)
	attach := func(node string) error {
		_, err := controller.ControllerPublishVolume(t.Context(), &csi.ControllerPublishVolumeRequest{
			VolumeId: "pvc-1", NodeId: node,
			VolumeCapability: capability(csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER),
		})
		return err
	}
	detach := func(node string) {
		_, err := controller.ControllerUnpublishVolume(t.Context(),
			&csi.ControllerUnpublishVolumeRequest{VolumeId: "pvc-1", NodeId: node})
		must(t, err)
	}
	must(t, attach(testNode))
	must(t, attach(testNode))
	expectCode(t, attach("data-2"), codes.FailedPrecondition)
	_, err = controller.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: "pvc-1"})
	expectCode(t, err, codes.FailedPrecondition)

	detach("data-2")
	expectCode(t, attach("data-2"), codes.FailedPrecondition)
	detach(testNode)
	detach(testNode)
	must(t, attach("data-2"))
	detach("")
	expectCode(t, attach("never-seen"), codes.NotFound)
	_, err = controller.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: "pvc-1"})
	must(t, err)
}

func TestVolumeOfANodeIsNeverAttached(t *testing.T) {
	controller, _ := newServers(t, "node-folder")
	_, err := controller.ControllerPublishVolume(t.Context(), &csi.ControllerPublishVolumeRequest{VolumeId: "pvc-1"})
	expectCode(t, err, codes.Unimplemented)
}

func TestOneCallAtATimeWorksOnAVolume(t *testing.T) {
	controller, _ := newServers(t, "node-folder")
	done, err := controller.busy.begin("pvc-1")
	must(t, err)
	_, err = controller.CreateVolume(t.Context(), createRequest("pvc-1"))
	expectCode(t, err, codes.Aborted)
	_, err = controller.CreateVolume(t.Context(), createRequest("pvc-2"))
	must(t, err)
	done()
	_, err = controller.CreateVolume(t.Context(), createRequest("pvc-1"))
	must(t, err)
}
