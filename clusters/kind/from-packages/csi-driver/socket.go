package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/status"
)

// Calls under way get this long when the program is told to stop.
const gracePeriod = 5 * time.Second

// An ownSocket is a listener that takes its file away when it is closed, unless another process has put its own there
// by then: a pod that was deleted by force has a successor while it still ends.
type ownSocket struct {
	*net.UnixListener
	path  string
	file  fs.FileInfo
	close func() error
}

// listen opens a socket; one that an earlier process left behind is removed.
func listen(socket string) (*ownSocket, error) {
	if err := os.Remove(socket); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("stale socket: %w", err)
	}
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("socket: %w", err)
	}
	// Go would remove whatever is at the path by then.
	listener.SetUnlinkOnClose(false)
	file, err := os.Lstat(socket)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("socket: %w", err), listener.Close())
	}
	own := &ownSocket{UnixListener: listener, path: socket, file: file}
	// Once, since a closed socket's file may be another one's number later.
	own.close = sync.OnceValue(own.removeAndClose)
	return own, nil
}

// isThere tells whether clients that know the path find this socket.
func (s *ownSocket) isThere() bool {
	found, err := os.Lstat(s.path)
	return err == nil && os.SameFile(s.file, found)
}

func (s *ownSocket) Close() error { return s.close() }

// removeAndClose removes first: as long as the socket is open no other file has its number.
func (s *ownSocket) removeAndClose() error {
	var err error
	if s.isThere() {
		err = os.Remove(s.path)
	}
	return errors.Join(err, s.UnixListener.Close())
}

// serve answers on a listener until the context ends. It is closed when this returns.
func serve(ctx context.Context, listener net.Listener, register func(*grpc.Server)) error {
	server := grpc.NewServer(grpc.UnaryInterceptor(logCall))
	register(server)
	defer context.AfterFunc(ctx, func() {
		hard := time.AfterFunc(gracePeriod, server.Stop)
		defer hard.Stop()
		server.GracefulStop()
	})()
	return server.Serve(listener)
}

// logCall writes what changes something or fails; what only asks comes every few seconds. Requests may hold secrets
// and are not written.
func logCall(ctx context.Context, request any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
	begin := time.Now()
	response, err := handle(ctx, request)
	call := path.Base(info.FullMethod)
	if err != nil {
		slog.Error(call, "code", status.Code(err), "error", status.Convert(err).Message())
	} else if about, ok := request.(interface{ GetVolumeId() string }); ok {
		slog.Info(call, "volume", about.GetVolumeId(), "took", time.Since(begin))
	} else if about, ok := request.(interface{ GetName() string }); ok {
		slog.Info(call, "volume", about.GetName(), "took", time.Since(begin))
	}
	return response, err
}
