import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main struct SyncKitMacrosPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [SyncedMacro.self, MarkMacro.self]
}
