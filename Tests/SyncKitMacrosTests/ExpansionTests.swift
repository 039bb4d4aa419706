import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import SyncKitMacrosPlugin

private let macros: [String: MacroSpec] = [
  "Synced": MacroSpec(type: SyncedMacro.self, conformances: ["SyncedRecord"]),
  "SyncedProperty": MacroSpec(type: MarkMacro.self),
  "NotSynced": MacroSpec(type: MarkMacro.self),
  "SyncedOrder": MacroSpec(type: MarkMacro.self),
]

private func expect(
  _ source: String, becomes expanded: String, diagnostics: [DiagnosticSpec] = [],
  applyFixIts: [String]? = nil, fixed: String? = nil,
  at location: Testing.SourceLocation = #_sourceLocation
) {
  assertMacroExpansion(
    source, expandedSource: expanded, diagnostics: diagnostics, macroSpecs: macros,
    applyFixIts: applyFixIts, fixedSource: fixed, indentationWidth: .spaces(2),
    failureHandler: { failure in
      Issue.record(Comment(rawValue: failure.message), sourceLocation: location)
    })
}

@Suite struct Expansions {
  @Test func `properties become fields by their names`() {
    expect(
      """
      @Synced("book", deleteRule: .deleteWins) @SyncedOrder("isRead", "title")
      struct Book {
        var id = RecordID.random
        var title = ""
        @SyncedProperty("remark", policy: KeepBothPolicy()) var note: String?
        @SyncedProperty("read", policy: ManualPolicy(), group: "reading") var isRead = false
        @SyncedProperty(group: "reading") var finished: Date?
        @NotSynced var isSelected = false
        static var count = 0
        var length: Int { title.count }
        var watched = 1 { didSet {} }
      }
      """,
      becomes: """
        struct Book {
          var id = RecordID.random
          var title = ""
          var note: String?
          var isRead = false
          var finished: Date?
          var isSelected = false
          static var count = 0
          var length: Int { title.count }
          var watched = 1 { didSet {} }

          static let schema = RecordSchema<Book>("book", deleteRule: .deleteWins) {
            SyncedField("title", \\.title)
            SyncedField("remark", \\.note, policy: KeepBothPolicy())
            SyncedGroup("reading", policy: ManualPolicy()) {
              SyncedField("read", \\.isRead)
              SyncedField("finished", \\.finished)
            }
            SyncedField("watched", \\.watched)
            SyncedIndex(\\.isRead, \\.title)
          }
        }

        extension Book: SyncedRecord {
        }
        """)
  }

  @Test func `a public type gets public members`() {
    expect(
      """
      @Synced("item", in: List.self)
      public struct Item {
        public var id = UUID()
        public var `case`: Int? = nil
      }
      """,
      becomes: """
        public struct Item {
          public var id = UUID()
          public var `case`: Int? = nil

          public init() {
          }

          public static let schema = RecordSchema<Item>("item", in: List.self) {
            SyncedField("case", \\.`case`)
          }
        }

        extension Item: SyncedRecord {
        }
        """)
  }

  @Test func `a property without a value is refused where it stands`() {
    expect(
      """
      @Synced("x")
      struct X {
        var id = ""
        var number: Int
      }
      """,
      becomes: """
        struct X {
          var id = ""
          var number: Int
        }

        extension X: SyncedRecord {
        }
        """,
      diagnostics: [
        DiagnosticSpec(
          message:
            "'number' needs a value that counts where nothing is stored, or is to be optional.",
          line: 4, column: 7)
      ])
  }

  @Test func `a constant is refused, and a variable offered`() {
    expect(
      """
      @Synced("x")
      struct X {
        var id = ""
        let number = 1
      }
      """,
      becomes: """
        struct X {
          var id = ""
          let number = 1
        }

        extension X: SyncedRecord {
        }
        """,
      diagnostics: [
        DiagnosticSpec(
          message:
            "'number' is read from the store, so it is a 'var'; @NotSynced leaves it in memory.",
          line: 4, column: 3, fixIts: [FixItSpec(message: "Use 'var'")])
      ],
      applyFixIts: ["Use 'var'"],
      fixed: """
        @Synced("x")
        struct X {
          var id = ""
          var number = 1
        }
        """)
  }

  @Test func `a type without an id, two fields of a name, a name with parts`() {
    expect(
      """
      @Synced("x")
      struct X {
        var a = 1
        @SyncedProperty("a") var b = 2
        @SyncedProperty("c\\(1)") var c = 3
      }
      """,
      becomes: """
        struct X {
          var a = 1
          var b = 2
          var c = 3
        }

        extension X: SyncedRecord {
        }
        """,
      diagnostics: [
        DiagnosticSpec(message: "There is a field \"a\" already.", line: 4, column: 3),
        DiagnosticSpec(
          message: "A name on every device is a text without parts to fill in.", line: 5, column: 19
        ),
        DiagnosticSpec(
          message: "A synced type has an 'id', such as 'var id = RecordID.random'.", line: 2,
          column: 8,
          fixIts: [FixItSpec(message: "Add 'var id = RecordID.random'")]),
      ])
  }

  @Test func `an index by what is no field is refused`() {
    expect(
      """
      @Synced("x") @SyncedOrder(withinParent: "name", "nome")
      struct X {
        var id = ""
        var name = ""
      }
      """,
      becomes: """
        struct X {
          var id = ""
          var name = ""
        }

        extension X: SyncedRecord {
        }
        """,
      diagnostics: [
        DiagnosticSpec(message: "This names no field of 'X'.", line: 1, column: 49)
      ])
  }

  @Test func `a class and a generic struct are refused`() {
    expect(
      """
      @Synced("x") class X {
        var id = ""
      }
      """,
      becomes: """
        class X {
          var id = ""
        }
        """,
      diagnostics: [
        DiagnosticSpec(
          message: "@Synced describes a struct: its copies are independent of each other.", line: 1,
          column: 1)
      ])
    expect(
      """
      @Synced("x") struct X<T> {
        var id = ""
      }
      """,
      becomes: """
        struct X<T> {
          var id = ""
        }

        extension X: SyncedRecord {
        }
        """,
      diagnostics: [
        DiagnosticSpec(
          message: "A synced type is one collection, so it has no generic parameters.", line: 1,
          column: 22)
      ])
  }
}
