package commandcode

import _ "embed"

// mod refuses the calls of which hooks are shown another value than the tool takes. It is asked after the hooks, with
// the input as the model wrote it (observed 1.64.0).
//
//go:embed mod.js
var mod []byte

// Companion is the mod. The client loads a project's once the folder is trusted; in print mode, only with --yolo too
// (observed 1.64.0).
func (Dialect) Companion() (path string, text []byte) { return "mods/hookbridge.js", mod }
