package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A class is one of the two kinds of volumes that this program serves. Each is a CSI driver of its own to Kubernetes,
// because whether volumes are attached belongs to the driver's name and can't be changed afterwards.
type class struct {
	driverName  string
	topologyKey string
	// attach tells whether a volume belongs to one node at a time, by the attacher and a VolumeAttachment.
	attach bool
	// segment names the part of the cluster that reaches the same data as this node.
	segment func(nodeID string) string
}

var classes = map[string]class{
	// Data in a folder of the node: a volume never leaves the node that it was made on.
	"node-folder": {
		driverName:  "node-folder.csi.poolwright.dev",
		topologyKey: "node-folder.csi.poolwright.dev/node",
		segment:     func(nodeID string) string { return nodeID },
	},
	// Data in a folder that several nodes share: a volume can move between them.
	"shared-folder": {
		driverName:  "shared-folder.csi.poolwright.dev",
		topologyKey: "shared-folder.csi.poolwright.dev/segment",
		attach:      true,
		segment:     func(string) string { return "workers" },
	},
}

func findClass(name string) (class, error) {
	found, known := classes[name]
	if !known {
		names := strings.Join(slices.Sorted(maps.Keys(classes)), " or ")
		return class{}, fmt.Errorf("--class must be %s, found %q", names, name)
	}
	return found, nil
}

// topology is where volumes made on this node can be used.
func (c class) topology(nodeID string) map[string]string {
	return map[string]string{c.topologyKey: c.segment(nodeID)}
}
