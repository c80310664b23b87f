package conformance

import (
	"slices"
	"strings"
	"testing"
)

// sdk is Qoder's Agent SDK, whose hooks are callbacks, or commands in the settings that it passes to the CLI.
const sdk = "qoder-sdk"

// sdkEvents are the events in the types of version 1.0.39.
var sdkEvents = []string{
	"PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "SessionStart", "SessionEnd", "Stop",
	"SubagentStart", "SubagentStop",
	"PreCompact", "PostCompact", "CwdChanged", "InstructionsLoaded", "FileChanged", "PermissionRequest",
	"PermissionDenied", "WorktreeCreate", "WorktreeRemove"}

// madeSDK returns answers of callbacks under other agents, answers for a callback that runs other agents' hooks, and
// the settings for both.
func madeSDK() (all []made) {
	for _, other := range suite[:2] {
		for _, pair := range [][2]string{{sdk, other}, {other, sdk}} {
			from, to := pair[0], pair[1]
			rows := dialect(from).Profile().Events
			for i := range rows {
				row := &rows[i]
				at := counterpart(from, row, dialect(to))
				typed := from == sdk && slices.Contains(sdkEvents, row.Native) || to == sdk && at != nil &&
					slices.Contains(sdkEvents, at.Native)
				switch {
				case row.Inline() || !typed:
					continue
				case at == nil:
					all = append(all, noEvent(from, to, row))
				default:
					all = append(all, repliesOf(from, to, row, at)...)
				}
				all = append(all, eventConfig(from, to, row))
			}
			all = append(all, toolConfigs(from, to)...)
		}
	}
	for i := range all {
		if words(all[i].from) == "qoder" && all[i].isText { // a callback can't return plain text
			all[i].input, all[i].isText = specific(all[i].event, "additionalContext", quote(advice)), false
		}
	}
	return all
}

// TestSDKEvents checks that the events above are those that the dialect finds in the SDK's types.
func TestSDKEvents(t *testing.T) {
	for _, row := range dialect(sdk).Profile().Events {
		typed := strings.Contains(row.Source, "types 1.0.39") && !strings.Contains(row.Source, "not among")
		if typed != slices.Contains(sdkEvents, row.Native) {
			t.Errorf("%s: %s", row.Native, row.Source)
		}
	}
}
