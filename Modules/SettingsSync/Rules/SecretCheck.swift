/// Finds values that look like passwords, tokens and keys, by their name and their content.
///
/// It errs on the side of caution: such a value stays on the device until a person names its key.
public enum SecretCheck {
  /// Why something looks like a secret.
  public enum Reason: String, Sendable {
    /// The key has the name of a secret.
    case name
    /// The value has the form of a known kind of token or key, or is an address with one.
    case form
    /// The value looks random.
    case randomness
  }

  /// Why a setting looks like a secret; nil when it does not.
  public static func reason(key: String, value: SettingValue) -> Reason? {
    switch value {
    case .bool, .date, .double, .decimal, .null: return nil
    case .int, .uint: return SecretName(key).isOfNumber ? .name : nil
    case .plain(let text):
      return text.contains(where: \.isNumber) ? reason(key: key, text: text) : nil
    case .string(let text): return reason(key: key, text: text)
    case .data(let bytes): return !bytes.isEmpty && SecretName(key).isSecret ? .name : nil
    case .array(let values):
      return values.lazy.compactMap { reason(key: key, value: $0) }.first
    case .dict(let members):
      return members.lazy.compactMap { member in
        reason(key: member.key, value: member.value) ?? reason(key: key, value: member.value)
      }.first
    }
  }

  private static func reason(key: String, text: String) -> Reason? {
    if text.isEmpty || SecretForm.isReference(text) { return nil }
    let name = SecretName(key)
    if name.isSecret, !SecretForm.isPath(text) { return .name }
    if name.isOfLicence, SecretForm.isLicenceKey(text) { return .name }
    if name.isOfCookie, text.contains("=") { return .name }
    if SecretForm.matches(text) { return .form }
    return !name.isOfHash && SecretForm.isRandom(text) ? .randomness : nil
  }
}
