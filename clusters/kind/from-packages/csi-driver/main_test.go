package main

import (
	"strings"
	"testing"
)

func TestCommandLineIsRefusedWithWhatIsExpected(t *testing.T) {
	for arguments, expected := range map[string]string{
		"--class nfs --node-id a":                        "node-folder or shared-folder",
		"--class node-folder":                            "--node-id is missing",
		"--class node-folder --node-id a --services all": "controller, node or both",
		"--class node-folder --node-id a controller":     "found \"controller\"",
	} {
		_, err := parse(strings.Fields(arguments))
		if err == nil || !strings.Contains(err.Error(), expected) {
			t.Errorf("%s: expected %q, found %v", arguments, expected, err)
		}
	}
}
