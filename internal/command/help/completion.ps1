# hookbridge completion for PowerShell: hookbridge completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName hookbridge -ScriptBlock {
	param($word, $ast, $cursor)
	$after = @{
#AFTER
	}
	$values = @{
#VALUES
	}
	$words = @($ast.CommandElements | ForEach-Object { $_.ToString() })
	if ($word -ne '') { $words = @($words | Select-Object -SkipLast 1) }
	if ($words.Count -le 1) { $known = COMMANDS }
	elseif ($values.ContainsKey("$($words[1]) $($words[-1])")) { $known = $values["$($words[1]) $($words[-1])"] }
	else { $known = $after[$words[1]] }
	$known | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
