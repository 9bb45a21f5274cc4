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
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/status"
)

// Calls under way get this long when the program is told to stop.
const gracePeriod = 5 * time.Second

// listen opens a socket; one that an earlier process left behind is removed.
func listen(socket string) (net.Listener, error) {
	if err := os.Remove(socket); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("stale socket: %w", err)
	}
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return nil, fmt.Errorf("socket: %w", err)
	}
	return listener, nil
}

// serve answers on a listener until the context ends. The socket is gone when it returns.
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
