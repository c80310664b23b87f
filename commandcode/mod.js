// Written by hookbridge: install renews it, uninstall removes it.
// Of arguments whose names are one in snake_case, such as file_path and filePath, Command Code shows its hooks the last
// one, and its tool may take another. This refuses such a call, whose hooks were shown something else.

const TOOLS = ["read_file", "read_multiple_files", "read_directory", "write_file", "edit_file", "get_diagnostics"]

export default function (cmd) {
  cmd.hooks({
    beforeToolCall: async ({ toolName, input }) => {
      if (!TOOLS.includes(toolName) || input === null || typeof input !== "object") return undefined
      const values = new Map()
      for (const [name, value] of Object.entries(input)) {
        const shown = name.replace(/([A-Z])/g, "_$1").toLowerCase()
        const text = JSON.stringify(value)
        if (values.has(shown) && values.get(shown) !== text) {
          return { block: true, additionalContext: `hookbridge: this call has two values of ${shown}, and the hooks ` +
            "were shown one of them. Name it once." }
        }
        values.set(shown, text)
      }
      return undefined
    },
  })
}
