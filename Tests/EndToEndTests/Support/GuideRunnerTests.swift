import Testing

/// The runner of guides finds wrong examples.
struct GuideRunnerTests {
  private func problems(_ text: String) async throws -> [String] {
    try await GuideRunner(name: "guide.md", text: text).problems()
  }

  @Test func `correct examples leave no problem`() async throws {
    let guide = """
      Text with a `$ sign`.

      ```json app.json
      {"a": 1}
      ```

      ```sh
      $ cloudsync version
      cloudsync …
      $ cat app.json; printf 'one\\ntwo\\nthree\\n'
      {"a": 1}
      one
      …
      three
      laptop$ cat > ~/Nextcloud/note <<'EOF'
      hello
      EOF
      phone$ cat \\
        ~/Nextcloud/note
      hello
      $ cloudsync airports show XYZ  # exits 66
      $ cloudsync airports list
      ```

      ```sh
      not a command
      ```
      """
    #expect(try await problems(guide) == [])
  }

  @Test(arguments: [
    "$ cloudsync version\nother", "$ cloudsync airports show XYZ", "$ echo a\n…b",
    "$ true  # exits 2", "$ printf 'a\\nb\\n'\na",
  ])
  func `a wrong example is found at its line`(example: String) async throws {
    let found = try await problems("# Guide\n\n```sh\n\(example)\n```\n")
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("guide.md:4: ") == true)
  }

  @Test func `a guide without examples is a problem`() async throws {
    #expect(try await problems("Nothing to run.\n").count == 1)
  }
}
