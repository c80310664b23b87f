module github.com/hookbridge/hookbridge

go 1.26

require (
	github.com/dlclark/regexp2/v2 v2.12.0 // indirect
	github.com/goccy/go-json v0.12.0 // indirect
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/rogpeppe/go-internal v1.16.0 // indirect
)
