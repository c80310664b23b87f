package schema

import "testing"

func TestIsLocal(t *testing.T) {
	for url, want := range map[string]bool{
		"localhost/x": true, "localhost:80": true, "localhost.example.com": false, "127.0.0.1:1/x": true,
		"10.1.2.3": true, "10.example.com": false,
		"172.16.0.1": true, "172.31.0.1/": true, "172.32.0.1": false, "172.15.0.1": false, "192.168.1.1?x": true,
		"169.254.1.1": true, "0.0.0.0": true,
		"u:p@127.0.0.1/": true, "example.com/@127.0.0.1": false, "[::1]:80/": true, "[::]": true, "[fd00::1]": true,
		"[fe80::1]": true, "[2001:db8::1]": false, "8.8.8.8": false, "": false,
	} {
		if got := isLocal(url); got != want {
			t.Errorf("%s: %v", url, got)
		}
	}
}
