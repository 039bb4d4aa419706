import SettingsSync

/// The settings of the app TightFive as it declares them: 49 keys and 6 flags.
enum TightFive {
  static let themes: [SettingValue] = ["darkGrit", "yellowGrit", "custom"].map { .string($0) }
  static let fonts: [SettingValue] = [
    "system", "HelveticaNeue", "Georgia", "Menlo", "Palatino", "Times New Roman", "Trebuchet MS",
    "Verdana", "Courier", "Avenir", "Baskerville", "American Typewriter",
  ].map { .string($0) }

  static let declaration: SettingsDeclaration = {
    var declared = SettingsDeclaration()
    declared.keepsKeyValueStoreLimits = true
    for part in ["Frame", "BottomBar", "Window"] {
      let name = "bitCard\(part)"
      declared.settings["\(name)Theme"] = theme("darkGrit")
      declared.add(surface: name, color: "#3A3A3A", ["#F4C430", "#FFFFFF4D", "#FFFFFF1A"])
    }
    declared.settings["tileCardTheme"] = theme("darkGrit")
    declared.add(surface: "tileCard", color: "#3A3A3A", ["#F4C430", "#FFFFFF4D", "#FFFFFF1A"])
    declared.settings["quickBitTheme"] = theme("yellowGrit")
    declared.add(surface: "quickBit", color: "#F4C430", ["#8B4513", "#000000", "#CC6600"])

    declared.settings["appGritLevel"] = SettingDeclaration(
      .double, fallback: .double(1), minimum: 0, maximum: 1, setFlag: "appGritLevelHasBeenSet")
    declared.settings["appFont"] = SettingDeclaration(
      .string, fallback: .string("system"), choices: fonts)
    declared.settings["appFontColorHex"] = color("#FFFFFF")
    declared.settings["appFontSizeMultiplier"] = SettingDeclaration(
      .double, fallback: .double(1), setFlag: "appFontSizeMultiplierHasBeenSet")

    declared.settings["backgroundBaseColorHex"] = color("#3A3A3A")
    for (index, text) in ["#F4C430", "#0000FF", "#FFFFFF"].enumerated() {
      declared.settings["backgroundCloudColor\(index + 1)Hex"] = color(text)
    }
    declared.settings["backgroundCloudCount"] = SettingDeclaration(
      .int, fallback: .int(80), setFlag: "backgroundCloudCountHasBeenSet")
    declared.settings["backgroundCloudOpacity"] = SettingDeclaration(
      .double, fallback: .double(0.18), setFlag: "backgroundCloudOpacityHasBeenSet")
    declared.settings["backgroundCloudOffsetX"] = SettingDeclaration(.double, fallback: .double(0))
    declared.settings["backgroundCloudOffsetY"] = SettingDeclaration(.double, fallback: .double(0))
    declared.settings["backgroundDustCount"] = SettingDeclaration(
      .int, fallback: .int(800), setFlag: "backgroundDustCountHasBeenSet")
    declared.settings["backgroundDustOpacity"] = SettingDeclaration(
      .double, fallback: .double(0.24), setFlag: "backgroundDustOpacityHasBeenSet")

    for (name, isOn) in [
      ("ReduceMotion", false), ("HighContrast", false), ("HapticsEnabled", true),
      ("BoldText", false), ("LargerTouchTargets", false),
    ] {
      declared.settings["accessibility\(name)"] = SettingDeclaration(.bool, fallback: .bool(isOn))
    }
    return declared
  }()

  private static func theme(_ text: String) -> SettingDeclaration {
    SettingDeclaration(.string, fallback: .string(text), choices: themes)
  }

  static func color(_ text: String) -> SettingDeclaration {
    SettingDeclaration(.string, fallback: .string(text), format: .color)
  }
}

extension SettingsDeclaration {
  /// The colours of a surface, which form a group with its theme and must never be torn apart.
  fileprivate mutating func add(surface name: String, color: String, _ layers: [String]) {
    settings["\(name)CustomColorHex"] = TightFive.color(color)
    settings["\(name)GritEnabled"] = SettingDeclaration(.bool, fallback: .bool(true))
    for (index, text) in layers.enumerated() {
      settings["\(name)GritLayer\(index + 1)ColorHex"] = TightFive.color(text)
    }
    groups[name] =
      ["\(name)Theme", "\(name)CustomColorHex", "\(name)GritEnabled"]
      + (1...layers.count).map { "\(name)GritLayer\($0)ColorHex" }
  }
}
