module github.com/hookbridge/hookbridge

go 1.26

require (
	github.com/dlclark/regexp2/v2 v2.12.0
	github.com/goccy/go-json v0.12.0
	github.com/google/go-cmp v0.7.0
	github.com/rogpeppe/go-internal v1.16.0
	github.com/tailscale/hujson v0.0.0-20260727124030-b80ff77dac4f
	gopkg.in/yaml.v3 v3.0.1
)

require (
	golang.org/x/sys v0.26.0 // indirect
	golang.org/x/tools v0.26.0 // indirect
)
