import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Writes the schema of a record from its properties.
struct SyncedMacro: MemberMacro, ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard declaration.is(StructDeclSyntax.self), !protocols.isEmpty else { return [] }
    return [try ExtensionDeclSyntax("extension \(type.trimmed): SyncedRecord {}")]
  }

  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let record = declaration.as(StructDeclSyntax.self) else {
      context.report("@Synced describes a struct: its copies are independent of each other.", node)
      return []
    }
    if let generics = record.genericParameterClause {
      context.report("A synced type is one collection, so it has no generic parameters.", generics)
      return []
    }
    let properties = PropertyReader(record, context).properties
    guard let properties else { return [] }
    var members: [DeclSyntax] = []
    let access = record.accessPrefix
    // The compiler's own `init()` is never public.
    if !access.isEmpty, !record.hasInitializer { members.append("\(raw: access)init() {}") }
    let arguments = node.arguments?.trimmedDescription ?? ""
    guard let indexes = indexes(of: record, properties, context) else { return [] }
    let parts = (schemaParts(properties) + indexes).joined(separator: "\n")
    members.append(
      """
      \(raw: access)static let schema = RecordSchema<\(record.name.trimmed)>(\(raw: arguments)) {
      \(raw: parts)
      }
      """)
    return members
  }

  /// The fields in the order of the properties; a group stands where its first member does.
  private static func schemaParts(_ properties: [SyncedPropertyDeclaration]) -> [String] {
    var parts: [String] = []
    var groups: Set<String> = []
    for property in properties {
      guard let group = property.group else {
        parts.append("  " + property.field(with: property.arguments))
        continue
      }
      guard groups.insert(group).inserted else { continue }
      let members = properties.filter { $0.group == group }
      // What a group has as a whole may be said at any of its members.
      let whole = ["policy", "rebase"].compactMap { label in
        members.lazy.compactMap { $0.argument(label) }.first
      }
      parts.append("  SyncedGroup(\(([group] + whole).joined(separator: ", "))) {")
      for member in members {
        let own = member.arguments.filter { !whole.contains($0) && !member.isOfGroup($0) }
        parts.append("    " + member.field(with: own))
      }
      parts.append("  }")
    }
    return parts
  }

  /// The indexes of the type; nil when one names what is no field.
  private static func indexes(
    of record: StructDeclSyntax, _ properties: [SyncedPropertyDeclaration],
    _ context: some MacroExpansionContext
  ) -> [String]? {
    var indexes: [String] = []
    var isValid = true
    for case let attribute in record.attributes.compactMap({ $0.as(AttributeSyntax.self) })
    where attribute.attributeName.trimmedDescription == "SyncedOrder" {
      guard case .argumentList(let list) = attribute.arguments else { continue }
      let paths = list.map { argument in
        let name = argument.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
        guard let name, properties.contains(where: { $0.name == name }) else {
          context.report("This names no field of '\(record.name.text)'.", argument)
          isValid = false
          return ""
        }
        return (argument.label.map { "\($0.text): " } ?? "") + "\\.\(name)"
      }
      indexes.append("  SyncedIndex(\(paths.joined(separator: ", ")))")
    }
    return isValid ? indexes : nil
  }
}

extension MacroExpansionContext {
  func report(_ message: String, _ node: some SyntaxProtocol, fixIts: [FixIt] = []) {
    diagnose(Diagnostic(node: node, message: Message(message), fixIts: fixIts))
  }
}

/// A sentence for the developer.
struct Message: DiagnosticMessage, FixItMessage {
  let message: String
  var severity: DiagnosticSeverity { .error }
  var diagnosticID: MessageID { MessageID(domain: "SyncKitMacros", id: message) }
  var fixItID: MessageID { diagnosticID }

  init(_ message: String) { self.message = message }
}

extension StructDeclSyntax {
  /// `public ` or `package ` where the type is that, and nothing otherwise.
  fileprivate var accessPrefix: String {
    let names = modifiers.map(\.name.text)
    return ["public", "package"].first(where: names.contains).map { "\($0) " } ?? ""
  }

  fileprivate var hasInitializer: Bool {
    memberBlock.members.contains { $0.decl.is(InitializerDeclSyntax.self) }
  }
}
