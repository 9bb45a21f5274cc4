package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
	"google.golang.org/grpc/codes"
)

func TestIdsThatLeadElsewhereAreRefused(t *testing.T) {
	volumes, err := openStore(t.TempDir())
	must(t, err)
	for _, id := range []string{"..", ".", "../x", "a/b", "/etc", ".hidden", "a\x00b", "a b", ""} {
		_, err := volumes.get(id)
		expectCode(t, err, codes.InvalidArgument)
		if volumes.announceNode(id) == nil {
			t.Errorf("node %q was taken", id)
		}
		if volumes.knowsNode(id) {
			t.Errorf("node %q is known", id)
		}
	}
}

func TestMissingDataFolderIsAnErrorNotANewFolder(t *testing.T) {
	root := filepath.Join(t.TempDir(), "not-mounted")
	if _, err := openStore(root); err == nil {
		t.Fatal("a missing mount was taken for an empty folder")
	}
	if _, err := os.Stat(root); err == nil {
		t.Fatal("the folder was made")
	}
}

func TestVolumeIsRemovedWithItsData(t *testing.T) {
	volumes, err := openStore(t.TempDir())
	must(t, err)
	must(t, volumes.create(volume{ID: "pvc-1", Bytes: 7}))
	must(t, os.WriteFile(filepath.Join(volumes.data("pvc-1"), "marker"), nil, 0o600))
	must(t, volumes.remove("pvc-1"))
	_, err = volumes.get("pvc-1")
	expectCode(t, err, codes.NotFound)
	expectEmpty(t, volumes)
	must(t, volumes.remove("pvc-1"))
}

func TestCutOffDeleteIsFinishedByTheNextOne(t *testing.T) {
	volumes, err := openStore(t.TempDir())
	must(t, err)
	must(t, volumes.create(volume{ID: "pvc-1"}))
	must(t, os.Rename(volumes.path(volumesFolder, "pvc-1"), volumes.path(deletingFolder, "pvc-1")))
	must(t, volumes.remove("pvc-1"))
	expectEmpty(t, volumes)
}

func TestCutOffCreateIsBegunAnewAndSweptAway(t *testing.T) {
	volumes, err := openStore(t.TempDir())
	must(t, err)
	must(t, os.MkdirAll(volumes.path(creatingFolder, "pvc-1", "data", "half"), 0o750))
	must(t, os.MkdirAll(volumes.path(creatingFolder, "pvc-2"), 0o750))
	must(t, volumes.create(volume{ID: "pvc-1"}))
	if entries, err := os.ReadDir(volumes.data("pvc-1")); err != nil || len(entries) > 0 {
		t.Fatalf("expected an empty volume, found %v %v", entries, err)
	}
	must(t, volumes.sweep())
	expectEmpty(t, volumes)
	_, err = volumes.get("pvc-1")
	must(t, err)
}

func TestRecordIsOnTheDiskBeforeItTakesThePlaceOfTheOldOne(t *testing.T) {
	volumes, err := openStore(t.TempDir())
	must(t, err)
	flushed := watchFlushes(volumes)
	must(t, volumes.create(volume{ID: "pvc-1"}))
	expectFlushed(t, flushed, "creating/pvc-1/volume.json.new", "creating/pvc-1", "volumes")

	volumes.flush = func(file *os.File) error {
		if filepath.Base(file.Name()) == "volume.json.new" {
			text, err := os.ReadFile(file.Name())
			must(t, err)
			if !json.Valid(text) || !strings.Contains(string(text), "data-2") {
				t.Errorf("flushed while it was %q", text)
			}
			if found, err := volumes.get("pvc-1"); err != nil || found.AttachedTo != "" {
				t.Errorf("flushed when the old record was gone: %v %v", found, err)
			}
		}
		return nil
	}
	must(t, volumes.update(volume{ID: "pvc-1", AttachedTo: "data-2"}))

	flushed = watchFlushes(volumes)
	must(t, volumes.update(volume{ID: "pvc-1"}))
	expectFlushed(t, flushed, "volumes/pvc-1/volume.json.new", "volumes/pvc-1")
}

func TestVolumeIsOutOfTheWayOnTheDiskBeforeItsDataGoes(t *testing.T) {
	volumes, err := openStore(t.TempDir())
	must(t, err)
	must(t, volumes.create(volume{ID: "pvc-1"}))
	var flushed []string
	volumes.flush = func(file *os.File) error {
		flushed = append(flushed, filepath.Base(file.Name()))
		_, err := os.Stat(volumes.path(deletingFolder, "pvc-1", dataFolder))
		return err
	}
	must(t, volumes.remove("pvc-1"))
	if !slices.Contains(flushed, volumesFolder) || !slices.Contains(flushed, deletingFolder) {
		t.Errorf("flushed were %v", flushed)
	}
}

func TestWhatCanNotBeFlushedIsNotSaidToBeDone(t *testing.T) {
	volumes, err := openStore(t.TempDir())
	must(t, err)
	must(t, volumes.create(volume{ID: "pvc-1"}))
	volumes.flush = func(*os.File) error { return unix.EIO }
	expectCode(t, volumes.create(volume{ID: "pvc-2"}), codes.Internal)
	expectCode(t, volumes.update(volume{ID: "pvc-1", AttachedTo: "data-2"}), codes.Internal)
	expectCode(t, volumes.remove("pvc-1"), codes.Internal)
}

// watchFlushes keeps what is flushed, by its path in the store.
func watchFlushes(volumes *store) *[]string {
	flushed := &[]string{}
	volumes.flush = func(file *os.File) error {
		path, err := filepath.Rel(volumes.root, file.Name())
		*flushed = append(*flushed, path)
		return errors.Join(err, file.Sync())
	}
	return flushed
}

func expectFlushed(t *testing.T, found *[]string, expected ...string) {
	t.Helper()
	if !slices.Equal(*found, expected) {
		t.Errorf("expected %v to be flushed, found %v", expected, *found)
	}
}

// expectEmpty sees that nothing half made or half deleted is left.
func expectEmpty(t *testing.T, volumes *store) {
	t.Helper()
	for _, name := range []string{creatingFolder, deletingFolder} {
		entries, err := os.ReadDir(volumes.path(name))
		must(t, err)
		if len(entries) > 0 {
			t.Errorf("%s holds %v", name, entries)
		}
	}
}
