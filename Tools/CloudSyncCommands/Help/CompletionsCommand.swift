import ArgumentParser
import CommandFoundation

/// The command `cloudsync completions SHELL`.
struct CompletionsCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions", abstract: "Print a script that completes commands in a shell.",
    discussion: examples(
      "cloudsync completions bash > ~/.local/share/bash-completion/completions/cloudsync",
      "cloudsync completions zsh > ~/.zsh/completions/_cloudsync",
      "cloudsync completions fish > ~/.config/fish/completions/cloudsync.fish"))

  @Argument(help: "bash, zsh or fish.") var shell: CompletionScript.Shell
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) {
    context.terminal.output.write(
      CompletionScript(shell, for: CloudSync._commandName).text)
  }
}
