import CommandFoundation

extension ConfigKey {
  /// How a service on the network is reached, whatever it keeps; ``Configuration/Remote/Web`` reads them.
  static var network: [ConfigKey] {
    [
      ConfigKey("ca-file", .path, "Certificates in PEM to trust in place of the system's"),
      ConfigKey(
        "fingerprint", .fingerprint,
        "The SHA-256 of the only certificate to trust; with ca-file, both must match"),
      ConfigKey(
        "proxy", .proxy, "The proxy to use, or 'direct'; taken from the environment if unset"),
      ConfigKey(
        "allow-cleartext", .flag, "Whether to allow http:// to another machine", fallback: "false"),
    ]
  }
}
