package bridge

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/hookbridge/hookbridge/schema"
)

// Guarded is Run, unless something has failed before. It turns a fault of hookbridge's own into a failure that is
// reported: left alone it would end the program with status 2, which hosts understand as a decision.
func (b *Bridge) Guarded(ctx context.Context, stdin []byte, event string, before error) (answer []byte, rep *Report,
	err error) {
	defer func() {
		if v := recover(); v != nil {
			before = fmt.Errorf("internal error: %v", v)
		}
		if before == nil {
			return
		}
		rep = &Report{}
		rep.Diagnostics.Add(schema.CodeBridge, "", before.Error())
		if answer, err = nil, ErrBridge; b.FailClosed {
			answer, err = b.Host.Refuse(nil, event, before.Error()), nil
		}
	}()
	if before != nil {
		return nil, nil, nil
	}
	return b.Run(ctx, stdin, event)
}

// CheckProject checks that --project names a folder: with a wrong name no hooks would be found, and that would look
// like a project without hooks.
func CheckProject(dir string) error {
	if info, err := os.Stat(dir); dir != "" && (err != nil || !info.IsDir()) {
		return fmt.Errorf("--project %s isn't a folder", strconv.Quote(dir))
	}
	return nil
}
