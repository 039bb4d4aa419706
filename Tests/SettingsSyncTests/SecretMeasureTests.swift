import Testing

@testable import SettingsSync

/// How well secrets are told from other settings, on a list of what people have in their files.
struct SecretMeasureTests {
  private struct Sample {
    var isSecret: Bool
    var key: String
    var text: String

    var isFound: Bool { SecretCheck.reason(key: key, value: .string(text)) != nil }
  }

  private static let samples = SecretSamples.text.split(separator: "\n").map { line in
    let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    return Sample(isSecret: cells[0] == "secret", key: cells[1], text: cells[2])
  }

  @Test func `nearly all secrets are found, and little else`() {
    let samples = Self.samples
    #expect(samples.count >= 300)
    let missed = samples.filter { $0.isSecret && !$0.isFound }
    let wrong = samples.filter { !$0.isSecret && $0.isFound }
    let found = samples.filter { $0.isSecret && $0.isFound }.count
    let recall = Double(found) / Double(found + missed.count)
    let precision = Double(found) / Double(found + wrong.count)
    let figures = "recall \(recall), precision \(precision)"
    #expect(recall >= 0.97, "\(figures); missed \(missed.map { "\($0.key)=\($0.text)" })")
    #expect(precision >= 0.97, "\(figures); wrong \(wrong.map { "\($0.key)=\($0.text)" })")
  }
}
