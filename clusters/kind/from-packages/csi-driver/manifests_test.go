package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const manifestsFolder = "../../parts/csi"

// manifest is what these tests read of the objects that install the driver.
type manifest struct {
	Kind              string
	Metadata          struct{ Name string }
	Provisioner       string
	AllowedTopologies []struct {
		MatchLabelExpressions []struct {
			Key    string
			Values []string
		}
	} `yaml:"allowedTopologies"`
	Spec struct {
		AttachRequired bool `yaml:"attachRequired"`
		Template       struct{ Spec podSpec }
	}
}

type podSpec struct {
	Containers []container
}

type container struct {
	Name            string
	Image           string
	ImagePullPolicy string `yaml:"imagePullPolicy"`
	Args            []string
	StartupProbe    execProbe `yaml:"startupProbe"`
	LivenessProbe   execProbe `yaml:"livenessProbe"`
}

type execProbe struct{ Exec struct{ Command []string } }

func TestDriversAreInstalledAsTheProgramAnnouncesThem(t *testing.T) {
	for _, class := range classes {
		index := slices.IndexFunc(manifests(t), func(m manifest) bool {
			return m.Kind == "CSIDriver" && m.Metadata.Name == class.driverName
		})
		if index < 0 {
			t.Fatalf("no CSIDriver %s", class.driverName)
		}
		if attach := manifests(t)[index].Spec.AttachRequired; attach != class.attach {
			t.Errorf("CSIDriver %s: attachRequired is %t, the program says %t", class.driverName, attach, class.attach)
		}
	}
}

func TestStorageClassesNameDriversAndSegmentsThatAreThere(t *testing.T) {
	classOf := map[string]class{}
	for _, class := range classes {
		classOf[class.driverName] = class
	}
	for _, m := range ofKind(t, "StorageClass") {
		class, known := classOf[m.Provisioner]
		if !known {
			t.Fatalf("StorageClass %s: no driver %s", m.Metadata.Name, m.Provisioner)
		}
		for _, topology := range m.AllowedTopologies {
			for _, expression := range topology.MatchLabelExpressions {
				if segment := class.topology(testNode)[expression.Key]; !slices.Contains(expression.Values, segment) {
					t.Errorf("StorageClass %s: %v doesn't allow %q", m.Metadata.Name, expression, segment)
				}
			}
		}
	}
}

func TestContainersAreStartedWithWhatTheProgramUnderstands(t *testing.T) {
	drivers := 0
	for _, m := range append(ofKind(t, "DaemonSet"), ofKind(t, "Deployment")...) {
		containers := m.Spec.Template.Spec.Containers
		chosen, err := parse(expand(containers[0].Args))
		if err != nil {
			t.Fatalf("%s %s: %v", m.Kind, m.Metadata.Name, err)
		}
		drivers++
		plugin := "/var/lib/kubelet/plugins/" + chosen.class.driverName + "/csi.sock"
		if chosen.node && chosen.endpoint != plugin {
			t.Errorf("%s %s: expected the socket at %s, found %s", m.Kind, m.Metadata.Name, plugin, chosen.endpoint)
		}
		for _, asked := range []execProbe{containers[0].StartupProbe, containers[0].LivenessProbe} {
			expected := []string{"poolwright-csi", "--probe", "--endpoint=" + chosen.endpoint}
			if command := asked.Exec.Command; !slices.Equal(command, expected) {
				t.Errorf("%s %s: expected to be asked by %v, found %v", m.Kind, m.Metadata.Name, expected, command)
			}
		}
		for _, sidecar := range containers[1:] {
			if !slices.Contains(sidecar.Args, "--csi-address="+chosen.endpoint) {
				t.Errorf("%s %s: %s dials another socket", m.Kind, m.Metadata.Name, sidecar.Name)
			}
		}
		for _, container := range containers {
			if container.ImagePullPolicy != "IfNotPresent" {
				t.Errorf("%s %s: %s would be pulled", m.Kind, m.Metadata.Name, container.Name)
			}
		}
	}
	if drivers != 3 {
		t.Errorf("expected three sets of pods, found %d", drivers)
	}
}

func expand(arguments []string) []string {
	expanded := make([]string, len(arguments))
	for i, argument := range arguments {
		expanded[i] = strings.ReplaceAll(argument, "$(NODE_NAME)", testNode)
	}
	return expanded
}

func ofKind(t *testing.T, kind string) []manifest {
	return slices.DeleteFunc(manifests(t), func(m manifest) bool { return m.Kind != kind })
}

func manifests(t *testing.T) []manifest {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(manifestsFolder, "*.yaml"))
	must(t, err)
	// Another driver's: the published one, which takes this program's place for the class csi.
	paths = slices.DeleteFunc(paths, func(path string) bool { return filepath.Base(path) == "4-host-path.yaml" })
	var found []manifest
	for _, path := range paths {
		file, err := os.Open(path)
		must(t, err)
		defer file.Close()
		for decoder := yaml.NewDecoder(file); ; {
			var m manifest
			err := decoder.Decode(&m)
			if errors.Is(err, io.EOF) {
				break
			}
			must(t, err)
			found = append(found, m)
		}
	}
	return found
}
