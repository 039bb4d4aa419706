import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// Tables for people and for programs.
struct TableTests {
  private let plain = Paint(isOn: false)

  private func table(_ rows: [ReportTable.Cell]...) -> ReportTable {
    ReportTable(
      [ReportTable.Column("name", flexible: true), ReportTable.Column("count", numeric: true)],
      rows: rows)
  }

  @Test func `columns are aligned, numbers to the right`() {
    let table = table(["a", ReportTable.Cell(5)], ["longer name", ReportTable.Cell(12_345)])
    #expect(
      table.aligned(paint: plain) == """
        name         count
        a                5
        longer name  12345

        """)
  }

  @Test func `wide characters, emoji and marks keep the columns in line`() {
    let table = ReportTable(
      [ReportTable.Column("a"), ReportTable.Column("b")],
      rows: [["日本", "x"], ["👩‍👩‍👧", "x"], ["e\u{301}e", "x"], ["🇳🇴", "x"], ["", "x"]])
    #expect(
      table.aligned(paint: plain) == """
        a     b
        日本  x
        👩‍👩‍👧    x
        e\u{301}e    x
        🇳🇴    x
              x

        """)
  }

  @Test(arguments: [
    "\u{1B}[31mred", "\u{1B}]0;title\u{7}", "a\u{8}b", "\u{9B}2J", "x\u{202E}y", "\u{0}",
  ])
  func `nothing in a cell controls the terminal`(text: String) {
    let shown = table([ReportTable.Cell(text), "1"]).aligned(paint: plain)
    let bad = shown.unicodeScalars.filter { scalar in
      scalar != "\n" && (scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value || scalar == "\u{202E}")
    }
    #expect(bad.isEmpty)
    #expect(shown.split(separator: "\n").count == 2)
  }

  @Test func `a cell of several lines stays one line`() {
    let table = table(["a\nb\tc\r", "1"])
    #expect(table.aligned(paint: plain).contains("a\\nb\\tc\\r"))
    #expect(table.tabSeparated() == "a\\nb\\tc\\r\t1\n")
  }

  @Test func `tab-separated values can be undone and are never cut`() {
    let long = String(repeating: "x", count: 5000)
    #expect(table(["a\\nb", ReportTable.Cell(long)]).tabSeparated() == "a\\\\nb\t\(long)\n")
  }

  @Test func `programs can get other values than people see`() {
    let table = table([ReportTable.Cell("2 h ago", raw: "2026-11-21T01:02:03.456Z"), "1"])
    #expect(table.aligned(paint: plain).contains("2 h ago"))
    #expect(table.tabSeparated() == "2026-11-21T01:02:03.456Z\t1\n")
  }

  @Test func `only flexible columns shrink on a narrow terminal`() {
    let table = table([
      ReportTable.Cell(String(repeating: "日", count: 20)), ReportTable.Cell(12_345_678),
    ])
    let narrow = table.aligned(paint: plain, width: 20)
    #expect(narrow.split(separator: "\n").allSatisfy { DisplayWidth.columns(of: String($0)) <= 20 })
    #expect(narrow.contains("…") && narrow.contains("12345678"))
    #expect(table.aligned(paint: plain).contains(String(repeating: "日", count: 20)))
  }

  @Test func `a terminal too narrow for anything does no harm`() {
    #expect(!table(["a", "1"]).aligned(paint: plain, width: 0).isEmpty)
  }

  @Test func `rows may be shorter than the header, and there may be none`() {
    #expect(table([], ["a"]).aligned(paint: plain) == "name  count\n\na\n")
    #expect(table().aligned(paint: plain).isEmpty)
  }

  @Test func `colour surrounds the text and not the space between`() {
    let table = table([ReportTable.Cell("a", style: .bad), "1"])
    let shown = table.aligned(paint: Paint(isOn: true))
    #expect(shown.contains("\u{1B}[31ma\u{1B}[0m     "))
    #expect(shown.hasPrefix("\u{1B}[1mname\u{1B}[0m  "))
  }
}
