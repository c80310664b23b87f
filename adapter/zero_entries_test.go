package adapter_test

import (
	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/adapter/launcher"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/plugin"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// zeroEntries are the exported functions, and the types with exported methods, of zeroFolders.
var zeroEntries = []any{
	adapter.AsWritten, adapter.Detect, adapter.Dialects, adapter.EventNamed, adapter.EventOf, adapter.EventRows,
	adapter.Find, adapter.FindByName, adapter.Has, adapter.InCode, adapter.KnownByName, adapter.Located, adapter.NameOf,
	adapter.Names, adapter.NamesOf, adapter.OtherVersion, adapter.OwnerByName, adapter.SameAgent, adapter.Where,
	adapter.With, adapter.WithHooks, adapter.Without, new(adapter.ByName),
	bridge.CheckProject, bridge.New, bridge.Own, bridge.ReadModule, bridge.RunAsync, bridge.TranslateCall,
	bridge.TranslateReply, new(bridge.Bridge), new(bridge.Machine), new(bridge.SkipReason),
	cmdline.AllRows, cmdline.Dashed, cmdline.FindAgent, cmdline.FindDialect, cmdline.FindOwner, cmdline.FindsHooks,
	cmdline.FlagRows, cmdline.GuardCommand, cmdline.GuardsHost, cmdline.IsProgram, cmdline.LaunchWords,
	cmdline.Launcher, cmdline.ModuleDialect,
	cmdline.NoEvent, cmdline.Parse, cmdline.PolicyOf, cmdline.ProgramWord, cmdline.Refusal, cmdline.Row,
	cmdline.ScopeOf, cmdline.TooOld, cmdline.Unwrap, cmdline.WordsOf, new(cmdline.Call),
	new(cmdline.FlagRow), new(cmdline.Mistake), new(cmdline.Policy), new(cmdline.Wrapping),
	convert.Blank, convert.Convert, convert.ConvertModule, convert.Empty, convert.File, convert.NewOwnEntry,
	convert.Original, convert.OwnEntries, convert.RulesIn, convert.Within, convert.WrapPolicyOf, convert.WroteModule,
	new(convert.Conversion), new(convert.Installation), new(convert.OwnEntry), new(convert.Placed),
	hookfile.Accepted, hookfile.BrokenLink, hookfile.Exists, hookfile.HoldsFile,
	hookfile.HooksOf, hookfile.IsLink, hookfile.IsMarkdown, hookfile.LeftBehind, hookfile.Misread, hookfile.NamedAt,
	hookfile.OfAgent, hookfile.OtherAgent, hookfile.OwnerOf, hookfile.ParseFile,
	hookfile.PluginFile, hookfile.PluginFiles, hookfile.ProjectOf, hookfile.Relative,
	hookfile.Unreadable, new(hookfile.Desk), new(hookfile.NamedFile), new(hookfile.Reader),
	new(hookfile.Terse),
	inspect.AsksAt, inspect.Check, inspect.CheckImportsOff, inspect.CommandProblem, inspect.EditingServers,
	inspect.Effects,
	inspect.Examine, inspect.ExamineModule, inspect.ExaminePlugin, inspect.Fixed, inspect.Hinted, inspect.Idle,
	inspect.IdleChoices, inspect.ImportsLeftOn, inspect.InPath, inspect.KeepOne, inspect.Matrix,
	inspect.Mistakes, inspect.NeverRuns, inspect.NewPair, inspect.Place, inspect.Scripts, inspect.Shared,
	inspect.Started, inspect.StatedImports, inspect.Unread, inspect.Without, new(inspect.Coverage),
	new(inspect.Finding), new(inspect.Grade),
	new(inspect.HookStatus), new(inspect.Pair), new(inspect.Problem),
	install.CheckCopies, install.CopyNames, install.Diff, install.FileOf, install.InFile, install.Mergeable,
	install.Merged, install.OrEmpty, install.StatedOff, install.Unheeded, install.Unread,
	install.Write, install.WriteCopies, new(install.Approval),
	new(install.Canary), new(install.Job), new(install.Nothing), new(install.Result), new(install.Target),
	launcher.Attributes, launcher.Files, launcher.Plain, launcher.PluginFiles, launcher.Project, launcher.ProjectFiles,
	new(launcher.File), new(launcher.Text),
	new(plan.Planner), new(plan.Route), new(plan.Outcome), new(plan.Wait), plan.AllowPasses, plan.Channels,
	plan.Command, plan.Counted, plan.CutShort,
	plan.Fewer, plan.GuardSeverity, plan.Handles, plan.Honors, plan.InProjects, plan.IsOwn, plan.KindNames, plan.Listed,
	plan.Moments, plan.NameOfMCP, plan.NeverSent, plan.New, plan.NoPlace,
	plan.QuoteOr, plan.Raised, plan.RaisedFewer, plan.RunsInstead, plan.SentValues, plan.Shown, plan.Skipped,
	plan.TakesMCP, plan.TellsRefused, plan.Unsent, plan.UnsentValues, plan.OwnLimits, plan.Ways,
	new(plugin.Options), new(plugin.Plugin), plugin.Open,
	sample.ForHost, sample.Kind, sample.KnowsTool, sample.Payload, sample.ToolCalled, sample.Words,
	new(simulate.Host), new(simulate.Outcome), new(simulate.Run), new(simulate.Step), simulate.Decisions,
	simulate.LookPath, simulate.Simulate,
	new(survey.Loaded), new(survey.Misplaced), new(survey.Survey),
	survey.Below, survey.Calls, survey.Check, survey.Edited,
	survey.Elsewhere,
	survey.Files, survey.ForEntry, survey.Hint, survey.Imported, survey.Load, survey.LoadScope, survey.LoadShared,
	survey.LoadedOnce, survey.MarkdownFiles, survey.MisplacedAt, survey.MissingPlugins, survey.NamedFiles,
	survey.NotFrom, survey.Owners, survey.OwnRules, survey.ProjectHooks, survey.Root, survey.Sources,
	survey.Take, survey.Unread, survey.UsersFolder,
	new(trust.Ground), new(trust.Records), trust.Fingerprint, trust.InProject, trust.RecordsIn, trust.Unresolved,
	dialect.Argv, dialect.BaseName, dialect.Bash, dialect.Decided, dialect.DisablesAll, dialect.EnvForHooksOnly,
	dialect.Filled, dialect.FolderName, dialect.GoesOn, dialect.Home, dialect.Inside, dialect.IsPlace,
	dialect.Linked, dialect.NameServer, dialect.NameServerLast, dialect.PluginFileOf, dialect.PluginsOn,
	dialect.PowerShell,
	dialect.RealPath, dialect.Refusal, dialect.Related, dialect.RunInOrder, dialect.SameFolder, dialect.Servers,
	dialect.ServersIn, dialect.SetServer, dialect.Unite, dialect.UserShell, dialect.Within, new(dialect.Answers),
	new(dialect.Ends), new(dialect.EnvFile), new(dialect.Length), new(dialect.MCPNames), new(dialect.Plugins),
	new(dialect.Profile), new(dialect.Program),
	new(dialect.TrustState), new(dialect.Variables), new(dialect.VoidMember), new(dialect.Way),
	family.CommandOf, family.ArgsOf, family.ShellOf, family.MatcherOf, family.URLOf, family.HeadersOf,
	family.EnvAllowOf, family.PromptOf, family.ModelOf, family.ServerOf, family.ToolRefOf, family.InputOf,
	family.EnvOf, family.StatusOf, family.AsyncOf, family.RewakeOf, family.OnceOf, family.OnBlockOf,
	family.SequentialOf,
	family.AppendEntry, family.AppendRemove, family.AppendVars, family.Beside, family.Block, family.ChangeOutput,
	family.CallWords, family.DecideModule, family.EditInput, family.Enter, family.EntriesIn, family.Extensions,
	family.FetchInput, family.FolderTrust, family.GlobInput, family.GrepInput, family.JoinArgs,
	family.JoinPatch, family.ListInput, family.Locate, family.ModuleAnswer, family.ModuleEvents,
	family.ModuleOutput, family.ModulePayload, family.ModuleAgent{}, family.Needs, family.NotebookInput,
	family.OrReason, family.OtherModules, family.PatchArgs, family.PatchFile, family.PatchKinds,
	family.PatchParts, family.Pick, family.Printed, family.ReadCondition, family.ReadEntryList,
	family.ReadEntryTables, family.ReadFail, family.ReadInput, family.ReadText, family.ReasonAlone,
	family.Renamed, family.RolesOf,
	family.SearchInput, family.SeveralRules, family.ShellInput, family.Shown, family.SplitPatch, family.TextOf,
	family.Unnumbered, family.Numbered,
	family.ResultText,
	family.WatchInput, family.WriteCommand, family.WriteCondition, family.WriteEntryList,
	family.WriteEntryTables, family.WriteFail, family.WriteInput, new(family.Agent), new(family.Decoder),
	new(family.EntryRow),
	new(family.FileRules), new(family.Lazy), new(family.Module), new(family.Names), new(family.Parser),
	new(family.Verdicts),
	new(schema.Args), new(schema.Call), new(schema.Code), new(schema.Config), new(schema.Diagnostic),
	new(schema.Diagnostics), new(schema.EditNames), new(schema.Environ), new(schema.Event), new(schema.EventRow),
	new(schema.Feature), new(schema.HTTPRules), new(schema.Handler), new(schema.Hook), new(schema.Kind),
	new(schema.MemberRow), new(schema.MemberTable), new(schema.MergeRules), new(schema.Message), new(schema.Moment),
	new(schema.NameRules), new(schema.PathRules), new(schema.Places), new(schema.Reply), new(schema.Role),
	new(schema.Roles), new(schema.Scope), new(schema.Selection), new(schema.Severity), new(schema.Source),
	new(schema.Thread), new(schema.Tool), new(schema.ToolRow), new(schema.Verdict), new(schema.Vocabularies),
	new(schema.Vocabulary), new(schema.Word), schema.An, schema.AppendArgs, schema.AppendNamed, schema.AppendOwn,
	schema.CheckInput, schema.CheckShape, schema.Codes, schema.CompareVersions, schema.DecodeArgs, schema.Document,
	schema.Documents, schema.FailureText, schema.FirstLine, schema.FitsInEnv, schema.GivenVars, schema.HasHook,
	schema.HasKind, schema.IsVersion, schema.Kept,
	schema.JoinText, schema.KindsMeet, schema.LeadingNumber,
	schema.ListIn, schema.NameOfValue[schema.Kind], schema.NativeArg,
	schema.NewJSONWriter, schema.NumberIn, schema.ObjectIn, schema.ParseEvent, schema.ParseKind, schema.ParseObject,
	schema.PointerTo, schema.PositionIn, schema.Printable, schema.ReadLines, schema.RepeatedDiagnostics,
	schema.RoleSet, schema.RowFor, schema.RowNamed, schema.Since, schema.SyntaxDiagnostic, schema.TextBlocks,
	schema.TextIn, schema.Unprintable, schema.Vars, schema.WriteLines,
}
