// Pause holds a pod's namespaces open until it is told to end, and buries processes that lost their parent in them.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGCHLD)
	for received := range signals {
		if received != syscall.SIGCHLD {
			return
		}
		// One signal may stand for several that ended.
		for {
			ended, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
			if err != nil || ended <= 0 {
				break
			}
		}
	}
}
