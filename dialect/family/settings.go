package family

import (
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// OffSwitch is the setting that switches all hooks off.
func OffSwitch(name string) SettingRow {
	return SettingRow{Name: name, Read: func(cfg *schema.Config, m ordjson.Member, at string) string {
		off, ok := ordjson.Bool(m.Value)
		if !ok {
			return name + " is not a boolean"
		}
		cfg.DisableAll, cfg.Switch = &off, ordjson.Pointer(at, name)
		return ""
	}}
}

// Limit is a setting that limits what hooks may do to a list of texts.
func Limit(name string, list func(cfg *schema.Config) *[]string) SettingRow {
	return SettingRow{Name: name, Read: func(cfg *schema.Config, m ordjson.Member, _ string) string {
		cfg.Guards = append(cfg.Guards, m)
		if *list(cfg) = ordjson.Strings(m.Value); *list(cfg) == nil {
			return name + " is not an array of strings"
		}
		return ""
	}}
}
