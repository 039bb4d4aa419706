import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// A property that becomes a field.
struct SyncedPropertyDeclaration {
  /// The property's name.
  let name: String
  /// The field's name, as a literal.
  let field: String
  /// The group's name, as a literal; nil for a field of its own.
  let group: String?
  /// What else its attribute says, as `label: value`.
  let arguments: [String]
  /// Where a problem with it is reported.
  let node: Syntax

  func field(with arguments: [String]) -> String {
    "SyncedField(\(([field, "\\.\(name)"] + arguments).joined(separator: ", ")))"
  }

  /// What the attribute says under a label.
  func argument(_ label: String) -> String? { arguments.first { $0.hasPrefix("\(label):") } }

  /// Whether something is said of the group and not of the property.
  func isOfGroup(_ argument: String) -> Bool {
    ["policy:", "rebase:"].contains { argument.hasPrefix($0) }
  }
}

/// Reads the properties of a struct that are fields, and reports those that cannot be.
struct PropertyReader {
  /// The fields; nil when something was reported.
  let properties: [SyncedPropertyDeclaration]?

  init(_ record: StructDeclSyntax, _ context: some MacroExpansionContext) {
    var found: [SyncedPropertyDeclaration] = []
    var names: Set<String> = []
    var isValid = true
    var hasID = false
    func report(_ message: String, _ node: some SyntaxProtocol, _ fixIts: [FixIt] = []) {
      context.report(message, node, fixIts: fixIts)
      isValid = false
    }
    for member in record.memberBlock.members {
      guard let variable = member.decl.as(VariableDeclSyntax.self), !variable.isStatic else {
        continue
      }
      let mark = variable.attribute("SyncedProperty")
      for binding in variable.bindings where !binding.isComputed {
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else {
          report("A synced property has a name of its own.", binding.pattern)
          continue
        }
        if name == "id" {
          hasID = true
          if let mark { report("The id names the record and is no field.", mark) }
          if variable.isConstant { reportConstant(name, variable, report) }
          continue
        }
        if variable.attribute("NotSynced") != nil { continue }
        if variable.isConstant {
          reportConstant(name, variable, report)
          continue
        }
        if binding.initializer == nil, !binding.isOptional {
          report(
            "'\(name)' needs a value that counts where nothing is stored, or is to be optional.",
            binding)
        }
        guard let property = property(name, mark, at: Syntax(binding), report) else { continue }
        if !names.insert(property.field).inserted {
          report(
            "There is a field \(property.field) already.", property.node)
        }
        found.append(property)
      }
    }
    for property in found {
      // A member may bear its own group's name: the register is the group's.
      guard let group = property.group,
        found.contains(where: { $0.field == group && $0.group != group })
      else { continue }
      report("There is a field or group \(group) already.", property.node)
    }
    if !hasID {
      report(
        "A synced type has an 'id', such as 'var id = RecordID.random'.", record.name,
        [record.addingID])
    }
    properties = isValid ? found : nil
  }
}

/// Reports a constant, and offers a variable.
private func reportConstant(
  _ name: String, _ variable: VariableDeclSyntax,
  _ report: (String, TokenSyntax, [FixIt]) -> Void
) {
  let keyword = variable.bindingSpecifier
  report(
    "'\(name)' is read from the store, so it is a 'var'; @NotSynced leaves it in memory.", keyword,
    [
      FixIt(
        message: Message("Use 'var'"),
        changes: [
          .replace(
            oldNode: Syntax(keyword),
            newNode: Syntax(
              TokenSyntax.keyword(
                .var, leadingTrivia: keyword.leadingTrivia, trailingTrivia: keyword.trailingTrivia))
          )
        ])
    ])
}

/// What an attribute says of a property; nil when it was reported.
private func property(
  _ name: String, _ mark: AttributeSyntax?, at node: Syntax,
  _ report: (String, LabeledExprSyntax, [FixIt]) -> Void
) -> SyncedPropertyDeclaration? {
  var field = "\"\(name.trimmingBackticks)\""
  var group: String?
  var arguments: [String] = []
  guard case .argumentList(let list) = mark?.arguments else {
    return SyncedPropertyDeclaration(
      name: name, field: field, group: nil, arguments: [], node: node)
  }
  for argument in list {
    let value = argument.expression.trimmedDescription
    switch argument.label?.text {
    case nil, "group":
      guard argument.expression.isPlainText else {
        report("A name on every device is a text without parts to fill in.", argument, [])
        return nil
      }
      if argument.label == nil { field = value } else { group = value }
    case let label?: arguments.append("\(label): \(value)")
    }
  }
  return SyncedPropertyDeclaration(
    name: name, field: field, group: group, arguments: arguments,
    node: mark.map(Syntax.init) ?? node)
}

extension String {
  fileprivate var trimmingBackticks: String {
    hasPrefix("`") ? String(dropFirst().dropLast()) : self
  }
}

extension ExprSyntax {
  fileprivate var isPlainText: Bool {
    self.as(StringLiteralExprSyntax.self)?.representedLiteralValue != nil
  }
}

extension VariableDeclSyntax {
  fileprivate var isStatic: Bool {
    modifiers.contains { ["static", "class"].contains($0.name.text) }
  }
  fileprivate var isConstant: Bool { bindingSpecifier.text == "let" }

  fileprivate func attribute(_ name: String) -> AttributeSyntax? {
    attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }
      .first { $0.attributeName.trimmedDescription == name }
  }
}

extension PatternBindingSyntax {
  /// Whether it has code in place of storage; observers do not count.
  fileprivate var isComputed: Bool {
    switch accessorBlock?.accessors {
    case .getter: true
    case .accessors(let accessors):
      !accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    case nil: false
    }
  }

  fileprivate var isOptional: Bool {
    // Only this spelling begins with nil by itself.
    typeAnnotation?.type.is(OptionalTypeSyntax.self) ?? false
  }
}

extension StructDeclSyntax {
  fileprivate var addingID: FixIt {
    var changed = memberBlock
    changed.members.insert(
      MemberBlockItemSyntax(
        leadingTrivia: .newline + .spaces(2), decl: DeclSyntax("var id = RecordID.random")),
      at: changed.members.startIndex)
    return FixIt(
      message: Message("Add 'var id = RecordID.random'"),
      changes: [.replace(oldNode: Syntax(memberBlock), newNode: Syntax(changed))])
  }
}
