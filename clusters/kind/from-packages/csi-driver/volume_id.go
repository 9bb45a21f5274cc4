package main

import (
	"regexp"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Ids become names of folders: nothing that could lead out of one passes.
var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$`)

func checkVolumeID(id string) error {
	if id == "" {
		return status.Error(codes.InvalidArgument, "volume id is missing")
	}
	if !plainName.MatchString(id) {
		return status.Errorf(codes.InvalidArgument, "volume id %q must be letters, digits, '.', '_' and '-'", id)
	}
	return nil
}
