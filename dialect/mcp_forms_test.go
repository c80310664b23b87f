package dialect

import (
	"slices"
	"testing"
)

// TestServerForms checks the plain names of a server, and the names in a form by which a hook may mean it.
func TestServerForms(t *testing.T) {
	own := MCPNames{Prefix: "m__", Between: "__", Forms: []ServerForm{{Before: "plugin_", Owned: true},
		{Before: "web_", Titled: true}}}
	other := MCPNames{Prefix: "m__", Between: "__"}
	for server, want := range map[string][]string{
		"plugin_ledger_books":     {"books"},
		"plugin_my_ledger_books":  {"ledger_books", "books"},
		"plugin_ledger":           nil,
		"plugin_":                 nil,
		"web_Mail":                {"Mail", "mail"},
		"web_mail":                {"mail"},
		"books":                   nil,
		"x_plugin_ledger_books":   nil,
		"plugin__books":           nil,
		"plugin_ledger_my-books_": {"my-books_"},
	} {
		if got := own.PlainNames(server, &other); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", server, got, want)
		}
		if got := own.PlainNames(server, &own); got != nil {
			t.Errorf("%s: %q in an agent with the same forms", server, got)
		}
	}
	for _, tt := range []struct{ pattern, server, want string }{
		{"m__plugin_ledger_books__pay", "books", "plugin_ledger_books"},
		{"m__plugin_(ledger|stock)_boo.*__pay", "books", "plugin_stock_books"},
		{"m__plugin_.*_books__pay", "books", "plugin_x_books"},
		{"m__plugin_led[a-z]+_books__pay", "books", "plugin_ledx_books"},
		{"m__web_Mail__send", "mail", "web_Mail"},
		{"m__web_.*__send", "mail", "web_mail"},
	} {
		if got := own.FormedNames(tt.pattern, tt.server, &other); !slices.Contains(got, tt.want) {
			t.Errorf("%s for %s: %q lacks %s", tt.pattern, tt.server, got, tt.want)
		}
	}
	if got := own.FormedNames("m__books__pay", "books", &other); got != nil {
		t.Errorf("a matcher without a form: %q", got)
	}
}
