package main

import (
	"path/filepath"
	"testing"

	"github.com/kubernetes-csi/csi-test/v5/pkg/sanity"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

// TestSanity runs what the CSI project asks of every driver, against both classes.
func TestSanity(t *testing.T) {
	needMounts(t)
	for className := range classes {
		endpoint, _, _ := startDriver(t, "--class", className)
		folder := t.TempDir()
		config := sanity.NewTestConfig()
		config.Address = "unix://" + endpoint
		config.TargetPath = filepath.Join(folder, "pods")
		config.StagingPath = filepath.Join(folder, "staging")
		config.TestVolumeSize = 1 << 20
		ginkgo.Describe(className, func() {
			context := sanity.GinkgoTest(&config)
			ginkgo.AfterAll(context.Finalize)
		}, ginkgo.Ordered, ginkgo.ContinueOnFailure)
	}
	gomega.RegisterFailHandler(ginkgo.Fail)
	ginkgo.RunSpecs(t, "CSI sanity")
}
