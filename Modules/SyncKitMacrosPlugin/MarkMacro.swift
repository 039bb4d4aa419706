import SwiftSyntax
import SwiftSyntaxMacros

/// An attribute that ``SyncedMacro`` reads; by itself it is nothing.
struct MarkMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] { [] }
}
