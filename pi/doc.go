// Package pi makes Pi a host of hooks. Pi 1.5.2 has no command hooks, only TypeScript and JavaScript extensions. The
// extension that this package writes passes each event to the commands of its entries as JSON on stdin and applies
// their answers. Events, payloads and answers are Claude Code's as far as Pi has a counterpart.
//
// Authority: npm @earendil-works/pi-coding-agent 1.5.2 as it was observed headless, then its declarations; 1.6.0 has
// the same names, and its comparisons give the same results. Checked 2026-11-28. An extension that can't be loaded
// keeps Pi from starting. A handler that throws denies a call, so the extension never throws: the entry determines the
// effect of a failing hook. Pi loads a project's extensions only in a trusted folder, and gives no message otherwise.
package pi
