import ArgumentParser
import CommandFoundation

/// A command that cloudsync-server carries out.
private protocol CommandOfServer: ForwardedCommand {
  static var row: (name: String, abstract: String) { get }
}

extension CommandOfServer {
  static func forward(_ words: [String], on terminal: Terminal) throws -> Never {
    try ServerProgram.become(words, beside: ProgramPath.current, terminal)
  }

  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: row.name, abstract: row.abstract,
      discussion: examples(
        "cloudsync \(row.name) --help", "cloudsync help \(row.name)",
        after: "\(ServerProgram.name), a separate program, provides it."))
  }
}

/// `cloudsync serve`.
struct ServeCommand: CommandOfServer {
  fileprivate static let row = ServerProgram.serve
  @Argument(parsing: .captureForPassthrough, help: "Arguments of serve.", completion: .file())
  var words: [String] = []
}

/// `cloudsync token`.
struct TokenCommand: CommandOfServer {
  fileprivate static let row = ServerProgram.token
  @Argument(parsing: .captureForPassthrough, help: "Arguments of token.") var words: [String] = []
}

/// `cloudsync server`.
struct ServerCommand: CommandOfServer {
  fileprivate static let row = ServerProgram.server
  @Argument(parsing: .captureForPassthrough, help: "Arguments of server.") var words: [String] = []
}
