/// Numbers names in the order of their first use.
///
/// Records of a type name the same registers in the same order, so each lookup tries first the name that
/// followed the previous one: one comparison instead of a hash.
struct NameTable: Sendable {
  package private(set) var names: [Name] = []
  private var numbers: [Name: Int] = [:]
  /// Which number was asked for after each.
  private var successors: [Int] = []
  private var last = 0

  package mutating func number(_ name: Name) -> Int {
    if last < successors.count {
      let guess = successors[last]
      if names[guess] == name {
        last = guess
        return guess
      }
    }
    let number = numbers[name] ?? names.count
    if number == names.count {
      names.append(name)
      numbers[name] = number
      successors.append(number)
    }
    successors[last] = number
    last = number
    return number
  }
}
