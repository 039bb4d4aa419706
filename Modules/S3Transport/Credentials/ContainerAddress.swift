import SyncKitHTTP

/// Which addresses may hand out the keys of a container.
enum ContainerAddress {
  /// The addresses of the services of ECS and EKS, which only the own machine reaches.
  private static let services: Set = ["169.254.170.2", "169.254.170.23", "fd00:ec2::23"]

  /// Whether an address is encrypted, or leads no further than this machine.
  static func isTrusted(_ url: String) -> Bool {
    let plain = url.prefix { $0 != "?" && $0 != "#" }
    guard let address = ServerAddress(plain) else { return false }
    return address.isEncrypted || address.isLoopback || services.contains(address.host)
  }
}
