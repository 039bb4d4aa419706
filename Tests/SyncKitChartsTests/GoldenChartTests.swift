import SyncKitFormats
import Foundation
import Testing

/// Compares every sample with `Golden`; `CLOUDSYNC_WRITE_GOLDEN=1` writes the files again, to be checked.
struct GoldenChartTests {
  @Test(arguments: ChartSamples.all.map(\.name))
  func `a chart looks as it did`(name: String) throws {
    let sample = try #require(ChartSamples.all.first { $0.name == name })
    try compare(sample.text + "\n", "\(name).txt")
    try compare(sample.svg, "\(name).svg")
  }

  @Test(arguments: ChartSamples.all.map(\.name))
  func `a picture is sound XML with a title, a description and nothing from outside`(
    name: String
  ) throws {
    let sample = try #require(ChartSamples.all.first { $0.name == name })
    var elements: Set<String> = []
    var texts: [String] = []
    var root: XMLAttributes?
    let reader = try XMLEventReader { event in
      switch event {
      case .start(let name, let attributes):
        if root == nil { root = attributes }
        elements.insert(name)
        for attribute in attributes where attribute.name != "xmlns" {
          #expect(!attribute.name.hasPrefix("on"))
          #expect(!attribute.value.contains("url("))
          #expect(!attribute.value.contains("nan") && !attribute.value.contains("inf"))
        }
      case .text(let text): texts.append(text)
      case .end: break
      }
    }
    try reader.feed(Array(sample.svg.utf8))
    try reader.finish()
    #expect(root?["viewBox"]?.hasPrefix("0 0 ") == true)
    #expect(root?["role"] == "img")
    #expect(elements.isSuperset(of: ["title", "desc", "text"]))
    #expect(
      elements.isSubset(of: [
        "svg", "title", "desc", "style", "text", "line", "rect", "circle", "polyline",
      ]))
  }

  @Test(arguments: ChartSamples.all.map(\.name))
  func `text for a terminal has no escapes and no lines that are too long`(name: String) throws {
    let sample = try #require(ChartSamples.all.first { $0.name == name })
    for line in sample.text.split(separator: "\n", omittingEmptySubsequences: false) {
      #expect(DisplayWidth.columns(of: String(line)) <= 80)
      #expect(DisplayWidth.sanitized(String(line)) == String(line))
      #expect(line.last != " ")
    }
  }

  private func compare(_ text: String, _ file: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
    let url = folder.appending(path: file)
    if ProcessInfo.processInfo.environment["CLOUDSYNC_WRITE_GOLDEN"] != nil {
      try Data(text.utf8).write(to: url)
    }
    let golden = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    #expect(text == golden, "\(file) differs from what it was")
  }
}
