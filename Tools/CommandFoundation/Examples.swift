/// Makes the discussion of a help page: examples first, then what else there is to say.
///
/// - Parameters:
///   - lines: Command lines as they are typed; two or more.
///   - text: Further sentences, in lines of their own.
/// - Returns: What a command's configuration takes as `discussion`.
package func examples(_ lines: String..., after text: String = "") -> String {
  let examples = "EXAMPLES:\n" + lines.map { "  \($0)" }.joined(separator: "\n")
  return Program.words(text.isEmpty ? examples : "\(examples)\n\n\(text)")
}
