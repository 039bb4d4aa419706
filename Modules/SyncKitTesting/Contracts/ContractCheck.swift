/// One promise of a protocol as something that can be tried on a conformance.
///
/// A contract is a list of checks; they need no test framework. With Swift Testing:
///
/// ```swift
/// @Test(arguments: StorageContract.checks)
/// func keepsItsPromises(check: ContractCheck<StorageContract>) async throws {
///   try await check(StorageContract { try MyStorage() })
/// }
/// ```
public struct ContractCheck<Contract: Sendable>: Sendable, CustomStringConvertible {
  /// The promise, as a short sentence.
  public let name: String
  /// Whether it asks hundreds of times, which takes a while where each question goes to another machine.
  public let isLong: Bool
  private let body: @Sendable (Contract) async throws -> Void

  /// Names a check.
  ///
  /// - Parameters:
  ///   - name: The promise, as a short sentence.
  ///   - isLong: Whether it asks hundreds of times.
  ///   - body: Tries it, and throws ``ContractViolation`` when it is broken.
  public init(
    _ name: String, isLong: Bool = false,
    _ body: @escaping @Sendable (Contract) async throws -> Void
  ) {
    self.name = name
    self.isLong = isLong
    self.body = body
  }

  /// Tries the promise.
  ///
  /// - Throws: ``ContractViolation`` when it is broken, whatever the conformance throws unasked.
  public func callAsFunction(_ contract: Contract) async throws {
    do {
      try await body(contract)
    } catch var violation as ContractViolation {
      violation.promise = name
      throw violation
    }
  }

  public var description: String { name }
}

/// A broken promise.
public struct ContractViolation: Error, Sendable, CustomStringConvertible {
  /// The promise; the check's name.
  public internal(set) var promise = ""
  /// What was seen in its place.
  public let observation: String

  /// Reports what was seen.
  public init(_ observation: String) { self.observation = observation }

  public var description: String { "\(promise): \(observation)" }
}

/// Throws unless the condition holds.
func expect(_ condition: Bool, _ observation: @autoclosure () -> String) throws {
  guard condition else { throw ContractViolation(observation()) }
}
