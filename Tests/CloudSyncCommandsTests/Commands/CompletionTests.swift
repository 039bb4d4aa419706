import Testing

/// What the scripts of shells are offered for the last word of a line.
struct CompletionTests {
  /// The answer: which files fit, then words with what they are for.
  private func answer(_ words: String...) async throws -> (files: String, words: [String]) {
    let outcome = try await TestMachine().run(["---complete"] + words)
    #expect(outcome.status == 0 && outcome.error.isEmpty)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    return (lines.first ?? "", lines.dropFirst().map { String($0.prefix { $0 != "\t" }) })
  }

  @Test func `names of commands come with their summaries`() async throws {
    let outcome = try await TestMachine().run("---complete", "vers")
    #expect(outcome.output == "none\nversion\tPrint the version.\n")
    #expect(try await answer("config", "val").words == ["validate"])
    #expect(try await answer("").words.contains("sync"))
  }

  @Test func `options come after a dash, those given before left out`() async throws {
    let all = try await answer("sync", "--").words
    #expect(all.contains("--push-only") && all.contains("--profile") && all.contains("--help"))
    #expect(try await answer("sync", "--push-only", "--push").words == [])
    // An option that may come again stays.
    #expect(try await answer("sync", "--remote", "a", "--rem").words == ["--remote"])
    #expect(try await answer("--js").words == ["--json"])
  }

  @Test func `an option's values are its own, in both ways of writing it`() async throws {
    #expect(try await answer("sync", "--output", "j").words.first == "json")
    #expect(try await answer("sync", "--output=j").words.first == "--output=json")
    #expect(try await answer("--output", "j").words.first == "json")
    #expect(try await answer("sync", "--config", "").files == "files yaml yml")
  }

  @Test func `arguments are told by their position`() async throws {
    #expect(try await answer("status", "air").words == ["airports"])
    #expect(try await answer("status", "--json", "air").words == ["airports"])
    #expect(try await answer("airports", "import", "").files == "files")
    #expect(try await answer("completions", "").words == ["bash", "zsh", "fish"])
  }

  @Test func `a group has the options of the command that it runs by default`() async throws {
    #expect(try await answer("history", "--dom").words == ["--domain"])
    #expect(try await answer("history", "sh").words == ["show"])
  }

  @Test func `nothing fits after a word that no command has, or where anything may stand`()
    async throws
  {
    #expect(try await answer("nonsense", "").words == [])
    let free = try await answer("sync", "--profile", "x")
    #expect(free.files == "none" && free.words == [])
    #expect(try await answer("status", "--", "--js").words == [])
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `a script asks the program, and so stays small`(shell: String) async throws {
    let machine = try TestMachine()
    let script = await machine.run(["completions", shell])
    #expect(script.status == 0)
    #expect(script.output.contains("---complete") && script.output.utf8.count < 8_000)
    #expect(await machine.run(["--generate-completion-script", shell]).output == script.output)
  }
}
