package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// A store keeps volumes in one folder:
//
//	volumes/ID/data         what a pod sees
//	volumes/ID/volume.json  what is known of it
//	creating/ID             being made; moved to volumes/ once whole
//	deleting/ID             moved here from volumes/, then emptied
//	nodes/ID                nodes that see this folder
//
// A crash, also of the machine, leaves a volume whole or not there; the same request, sent again, finishes what was begun.
type store struct {
	root string
	// flush brings a file or folder to the disk.
	flush func(*os.File) error
}

// A volume is what volume.json holds. Size is what was asked for: a folder has no limit of its own.
type volume struct {
	ID         string            `json:"id"`
	Bytes      int64             `json:"bytes"`
	AttachedTo string            `json:"attachedTo,omitempty"`
	Parameters map[string]string `json:"parameters,omitempty"`
}

const (
	volumesFolder  = "volumes"
	creatingFolder = "creating"
	deletingFolder = "deleting"
	nodesFolder    = "nodes"
	recordFile     = "volume.json"
	dataFolder     = "data"
)

// openStore makes the folders of a store below root, which must exist: a missing one is a missing mount.
func openStore(root string) (*store, error) {
	if info, err := os.Stat(root); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("data folder: %s is not a folder", root)
	}
	for _, name := range []string{volumesFolder, creatingFolder, deletingFolder, nodesFolder} {
		if err := os.MkdirAll(filepath.Join(root, name), 0o750); err != nil {
			return nil, fmt.Errorf("data folder: %w", err)
		}
	}
	return &store{root: root, flush: (*os.File).Sync}, nil
}

// sweep removes what a crash left half made or half deleted. Only the one controller of a store may.
func (s *store) sweep() error {
	for _, name := range []string{creatingFolder, deletingFolder} {
		entries, err := os.ReadDir(filepath.Join(s.root, name))
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if err := os.RemoveAll(filepath.Join(s.root, name, entry.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// get reads what is known of a volume: NotFound where there is no record, DataLoss where nothing can be made of it.
func (s *store) get(id string) (volume, error) {
	if err := checkVolumeID(id); err != nil {
		return volume{}, err
	}
	text, err := os.ReadFile(s.path(volumesFolder, id, recordFile))
	if errors.Is(err, fs.ErrNotExist) {
		return volume{}, status.Errorf(codes.NotFound, "volume %s does not exist", id)
	}
	if err != nil {
		return volume{}, status.Errorf(codes.Internal, "volume %s: %v", id, err)
	}
	var found volume
	if err := json.Unmarshal(text, &found); err != nil {
		return volume{}, status.Errorf(codes.DataLoss, "volume %s: %s: %v", id, recordFile, err)
	}
	if found.ID != id {
		return volume{}, status.Errorf(codes.DataLoss, "volume %s: %s is of volume %q", id, recordFile, found.ID)
	}
	return found, nil
}

// isUnknown tells whether get found no record, or none that can be read. Such a volume must still be able to go.
func isUnknown(err error) bool {
	return status.Code(err) == codes.NotFound || status.Code(err) == codes.DataLoss
}

// create makes an empty volume, which must not exist yet.
func (s *store) create(v volume) error {
	scratch := s.path(creatingFolder, v.ID)
	data := filepath.Join(scratch, dataFolder)
	err := errors.Join(os.RemoveAll(scratch), os.MkdirAll(data, 0o750))
	if err == nil {
		// Whoever the pod runs as may write, as on a local-path volume; the folders above keep others out.
		err = os.Chmod(data, 0o777)
	}
	if err == nil {
		err = s.writeRecord(scratch, v)
	}
	if err == nil {
		err = os.Rename(scratch, s.path(volumesFolder, v.ID))
	}
	if err == nil {
		err = s.flushFolder(s.path(volumesFolder))
	}
	if err != nil {
		return status.Errorf(codes.Internal, "volume %s can't be made: %v", v.ID, err)
	}
	return nil
}

// update replaces what is known of a volume.
func (s *store) update(v volume) error {
	if err := s.writeRecord(s.path(volumesFolder, v.ID), v); err != nil {
		return status.Errorf(codes.Internal, "volume %s can't be updated: %v", v.ID, err)
	}
	return nil
}

// remove deletes a volume with its data, and what an earlier attempt left of it.
func (s *store) remove(id string) error {
	trash := s.path(deletingFolder, id)
	err := os.RemoveAll(trash)
	if err == nil {
		err = os.Rename(s.path(volumesFolder, id), trash)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		// Before the data goes, or a volume might be back without it.
		err = errors.Join(s.flushFolder(s.path(deletingFolder)), s.flushFolder(s.path(volumesFolder)))
	}
	if err == nil {
		err = os.RemoveAll(trash)
	}
	if err != nil {
		return status.Errorf(codes.Internal, "volume %s can't be deleted: %v", id, err)
	}
	return nil
}

// clear makes room for a volume where one is of which nothing is known. Data is never taken away like this.
func (s *store) clear(id string) error {
	if err := os.Remove(s.data(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return status.Errorf(codes.FailedPrecondition, "volume %s: its %s is lost, but there is data: %v", id, recordFile, err)
	}
	return s.remove(id)
}

// announceNode leaves a mark by which others see that this node has the same folder.
func (s *store) announceNode(id string) error {
	if !plainName.MatchString(id) {
		return fmt.Errorf("node id %q is not a plain name", id)
	}
	return os.WriteFile(s.path(nodesFolder, id), nil, 0o640)
}

func (s *store) knowsNode(id string) bool {
	if !plainName.MatchString(id) {
		return false
	}
	_, err := os.Stat(s.path(nodesFolder, id))
	return err == nil
}

// freeBytes is how much the disk under the folder could still take.
func (s *store) freeBytes() (int64, error) {
	var disk unix.Statfs_t
	if err := unix.Statfs(s.root, &disk); err != nil {
		return 0, status.Errorf(codes.Internal, "data folder %s: %v", s.root, err)
	}
	return int64(disk.Bavail) * disk.Bsize, nil
}

func (s *store) data(id string) string { return s.path(volumesFolder, id, dataFolder) }

func (s *store) path(parts ...string) string {
	return filepath.Join(append([]string{s.root}, parts...)...)
}

// writeRecord replaces the record in one step, so that no reader sees half of it, not even after a power failure.
func (s *store) writeRecord(folder string, v volume) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	scratch := filepath.Join(folder, recordFile+".new")
	file, err := os.OpenFile(scratch, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o640)
	if err != nil {
		return err
	}
	if _, err = file.Write(append(text, '\n')); err == nil {
		err = s.flush(file)
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	if err := os.Rename(scratch, filepath.Join(folder, recordFile)); err != nil {
		return err
	}
	return s.flushFolder(folder)
}

// flushFolder brings the names in a folder to the disk, where its file system knows of that.
func (s *store) flushFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	err = s.flush(folder)
	if errors.Is(err, unix.EINVAL) {
		err = nil
	}
	return errors.Join(err, folder.Close())
}
