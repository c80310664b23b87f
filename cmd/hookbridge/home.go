package main

// home is the address of the repository, "" as long as the project has no home.
// scripts/home.sh sets it, with every other name under which the project is found.
const home = ""
