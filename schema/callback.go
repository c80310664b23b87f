package schema

// A CallbackRun is what one function of a module did.
type CallbackRun struct {
	Hook  Hook
	View  View
	Reply Reply
}
