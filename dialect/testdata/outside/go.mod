module example.com/otter

go 1.26.0

require github.com/hookbridge/hookbridge v0.0.0

replace github.com/hookbridge/hookbridge => ../../..
