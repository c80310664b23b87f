// Package trust covers the hooks of a project with a fingerprint: its hook files and
// every file of the project that their commands name.
package trust
