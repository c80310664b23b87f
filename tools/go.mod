module github.com/hookbridge/hookbridge/tools

go 1.26.0

require github.com/hookbridge/hookbridge v0.0.0

require (
	github.com/yuin/goldmark v1.8.7
	go.opentelemetry.io/proto/slim/otlp v1.10.0
	google.golang.org/protobuf v1.36.11
)

require (
	github.com/goccy/go-json v0.10.6 // indirect
	github.com/pelletier/go-toml/v2 v2.4.3 // indirect
	github.com/tailscale/hujson v0.0.0-20260727124030-b80ff77dac4f // indirect
	golang.org/x/text v0.14.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
	mvdan.cc/sh/v3 v3.14.1 // indirect
)

replace github.com/hookbridge/hookbridge => ../
