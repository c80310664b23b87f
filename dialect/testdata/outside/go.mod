module example.com/otter

go 1.26.0

require github.com/hookbridge/hookbridge v0.0.0

require gopkg.in/yaml.v3 v3.0.1 // indirect

replace github.com/hookbridge/hookbridge => ../../..
