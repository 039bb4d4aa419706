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

  /// The shells with a completion script.
  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish
  }

  @Argument(help: "bash, zsh or fish.") var shell: Shell
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) {
    let shell: CompletionShell =
      switch shell {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    context.terminal.output.write(CloudSync.completionScript(for: shell) + "\n")
  }
}
