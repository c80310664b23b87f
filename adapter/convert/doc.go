// Package convert makes one dialect's configuration of another's, and the entries
// by which an installation calls the bridge.
package convert
