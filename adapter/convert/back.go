package convert

import (
	"bytes"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// Original gives the hooks back that ConvertModule made a module for d of. ok is
// false if the text is none, if its hooks are not of the dialect to, or if the
// module made of the hooks would be another one: then somebody has changed it
// since, and what it does is what it says.
func Original(d, to dialect.Dialect, text []byte) (c *Conversion, cfg *schema.Config, ok bool) {
	w := dialect.Ability[dialect.ModuleWriter](d)
	if w == nil {
		return nil, nil, false
	}
	from, configs := w.ModuleConfigs(text)
	if from != to.Profile().Full() || len(configs) == 0 {
		return nil, nil, false
	}
	c, cfg = &Conversion{}, &schema.Config{}
	have := map[string]int{}
	for _, config := range configs { // a hook that several events need is in each of their groups
		one, _ := to.ParseConfig(config, schema.Source{})
		here := map[string]int{}
		for _, h := range one.Hooks {
			e := schema.Entry{Native: h.Native, Pointer: to.Profile().EventsAt + "/" + h.Native, Matcher: h.Matcher, Exact: true}
			value, _ := to.WriteHook(e, &h)
			key := e.Pointer + string(value)
			if here[key]++; here[key] <= have[key] {
				continue
			}
			have[key]++
			c.Entries = append(c.Entries, Placed{e.Pointer, value, h.Path})
			cfg.Hooks = append(cfg.Hooks, h)
		}
	}
	c.In, c.Out = len(cfg.Hooks), len(cfg.Hooks)
	for _, script := range []bool{false, true} {
		for _, p := range []cmdline.Policy{{}, {Allow: cmdline.AllowApprove}} {
			if bytes.Equal(code(ConvertModule(to, d, cfg, nil, script, p).Module), code(text)) {
				return c, cfg, true
			}
		}
	}
	return nil, nil, false
}

// code is a module without the head that says what was lost.
func code(module []byte) []byte { return module[max(bytes.Index(module, []byte("\nimport ")), 0):] }
