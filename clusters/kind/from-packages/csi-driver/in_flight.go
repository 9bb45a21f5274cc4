package main

import (
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// inFlight lets one call at a time work on a volume, as the CSI specification asks; callers try again later.
type inFlight struct {
	mutex sync.Mutex
	ids   map[string]bool
}

// begin claims a volume, until the function that it returns is called.
func (f *inFlight) begin(id string) (func(), error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.ids[id] {
		return nil, status.Errorf(codes.Aborted, "volume %s: another call for it is still running", id)
	}
	if f.ids == nil {
		f.ids = map[string]bool{}
	}
	f.ids[id] = true
	return func() {
		f.mutex.Lock()
		defer f.mutex.Unlock()
		delete(f.ids, id)
	}, nil
}
