import ArgumentParser
import CommandFoundation

/// A command that a separate program carries out.
private protocol SeparateCommand: ForwardedCommand {
  static var row: (name: String, abstract: String) { get }
  static var program: SeparateProgram { get }
}

extension SeparateCommand {
  static var program: SeparateProgram { .server }

  static func forward(_ words: [String], on terminal: Terminal) throws -> Never {
    try program.become(words, beside: ProgramPath.current, terminal)
  }

  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: row.name, abstract: row.abstract,
      discussion: examples(
        "cloudsync \(row.name) --help", "cloudsync help \(row.name)",
        after: "\(program.name), a separate program, provides it."))
  }
}

/// `cloudsync serve`.
struct ServeCommand: SeparateCommand {
  fileprivate static let row = ServerProgram.serve
  @Argument(parsing: .captureForPassthrough, help: "Arguments of serve.", completion: .file())
  var words: [String] = []
}

/// `cloudsync token`.
struct TokenCommand: SeparateCommand {
  fileprivate static let row = ServerProgram.token
  @Argument(parsing: .captureForPassthrough, help: "Arguments of token.") var words: [String] = []
}

/// `cloudsync server`.
struct ServerCommand: SeparateCommand {
  fileprivate static let row = ServerProgram.server
  @Argument(parsing: .captureForPassthrough, help: "Arguments of server.") var words: [String] = []
}

/// `cloudsync web`.
struct WebCommand: SeparateCommand {
  fileprivate static let row = SeparateProgram.webCommand
  fileprivate static let program = SeparateProgram.web
  @Argument(parsing: .captureForPassthrough, help: "Arguments of web.") var words: [String] = []
}
