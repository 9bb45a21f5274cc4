module poolwright.dev/pause

go 1.26
