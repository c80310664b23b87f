package main

// commands lists the commands in the order in which help shows them.
func commands() []command {
	convert := rowConvert()
	return []command{
		rowRun(), rowGuard(), rowInit(), rowInstall(), rowUninstall(), rowStatus(), rowDoctor(), rowCanary(),
		rowTrust(), rowUntrust(), rowFire(), rowTest(), rowLog(), rowCheck(), convert, rowPlugin(),
		rowTranslate(convert),
		rowMatrix(), rowConformance(), rowExplain(), rowSchema(),
		rowHelp(commands), rowCompletion(commands), rowMan(commands), rowVersion(),
	}
}
