import PageTemplates

/// What the page of the server's own address says.
struct HomeWords {
  var language = ""
  let title: String
  let lead: String
  let invited: String
  let isWell: String
  let isAiling: String
}

/// What the page of a link says: to join with a device, or to take part in a record.
struct InvitationWords {
  var language = ""
  let title: String
  let lead: String
  let first: String
  let second: String
  /// What stands for the link where there is no script.
  let placeholder: String
  let byHand: String
  let phone: String
  let secret: String
  /// What it says instead when the address has no secret, or more than one.
  let broken: String
  let commandLabel: String
  let copy: String
  let copied: String
  let camera: String
  /// What the QR code is called where it cannot be seen.
  let picture: String
  /// What stands before the link; the same in every language.
  var command = ""
}

extension PageLanguage {
  var home: HomeWords {
    var words = self == .german ? HomeWords.german : .english
    words.language = rawValue
    return words
  }

  /// The words for a link that lets a device into an account.
  var join: InvitationWords {
    var words = self == .german ? InvitationWords.germanJoin : .englishJoin
    (words.language, words.command) = (rawValue, "cloudsync init --join")
    return words
  }

  /// The words for a link that lets a person take part in a record.
  var share: InvitationWords {
    var words = self == .german ? InvitationWords.germanShare : .englishShare
    (words.language, words.command) = (rawValue, "cloudsync share accept")
    return words
  }
}

// MARK: English

extension HomeWords {
  fileprivate static let english = HomeWords(
    title: "A cloudsync server",
    lead: """
      Devices keep their data in sync through this server. People use it from their devices, with the \
      program cloudsync; there is nothing to sign in to here.
      """,
    invited: "Were you invited? Open the whole link that you were given.",
    isWell: "The server is running and can store data.",
    isAiling: "The server is running but cannot store data at the moment. Its log says why.")
}

extension InvitationWords {
  fileprivate static let englishJoin = InvitationWords(
    title: "Join with a device",
    lead: """
      This link lets one device into an account on this server. cloudsync then keeps its data in sync \
      with the other devices of the account.
      """,
    first: """
      Install cloudsync on the device, a computer with Linux or macOS. Whoever gave you the link can \
      tell you where to get it.
      """,
    second: "Open a terminal there and paste this command:", placeholder: "LINK",
    byHand: englishByHand, phone: englishPhone,
    secret: """
      The part of the address after the # is a secret. Your browser does not send it to this server. \
      Show it to no one else: whoever has it can use the link, once.
      """,
    broken: englishBroken, commandLabel: "Command to paste", copy: "Copy the command",
    copied: "Copied.", camera: englishCamera, picture: englishPicture)

  fileprivate static let englishShare = InvitationWords(
    title: "Take part in a shared record",
    lead: """
      Someone shares a record with you. You get it beside your own data, and cloudsync keeps it in sync \
      between you.
      """,
    first: """
      You need an account on this server and a device that has joined it. If you have none, ask \
      whoever gave you the link for an invitation.
      """,
    second: "Open a terminal on that device and paste this command:", placeholder: "LINK",
    byHand: englishByHand, phone: englishPhone,
    secret: """
      The part of the address after the # is a secret. Your browser does not send it to this server. \
      Show it to no one else: whoever has it can take part in your place.
      """,
    broken: englishBroken, commandLabel: "Command to paste", copy: "Copy the command",
    copied: "Copied.", camera: englishCamera, picture: englishPicture)

  private static let englishByHand = """
    Replace LINK with the whole address of this page, from the address bar of your browser, with \
    everything after the #.
    """
  private static let englishPhone =
    "cloudsync does not run on phones yet. If you read this on one, open the link on your computer."
  private static let englishCamera =
    "To take the link to another device, let its camera read this picture:"
  private static let englishPicture = "QR code of the link"
  private static let englishBroken = """
    This address is not a whole link: what stands after the # is missing or damaged. Open the link \
    again as you were given it, or ask for a new one.
    """
}

// MARK: German

extension HomeWords {
  fileprivate static let german = HomeWords(
    title: "Ein Server für cloudsync",
    lead: """
      Über diesen Server halten Geräte ihre Daten auf demselben Stand. Benutzt wird er von den Geräten \
      aus, mit dem Programm cloudsync; anmelden kann man sich hier nicht.
      """,
    invited: "Sie sind eingeladen? Öffnen Sie den ganzen Link, den Sie bekommen haben.",
    isWell: "Der Server läuft und kann Daten speichern.",
    isAiling:
      "Der Server läuft, kann aber gerade keine Daten speichern. Sein Protokoll sagt, warum.")
}

extension InvitationWords {
  fileprivate static let germanJoin = InvitationWords(
    title: "Ein Gerät aufnehmen",
    lead: """
      Dieser Link nimmt ein Gerät in ein Konto auf diesem Server auf. cloudsync hält dessen Daten dann \
      auf demselben Stand wie die anderen Geräte des Kontos.
      """,
    first: """
      Installieren Sie cloudsync auf dem Gerät, einem Computer mit Linux oder macOS. Wer Ihnen den Link \
      gegeben hat, kann Ihnen sagen, woher Sie es bekommen.
      """,
    second: "Öffnen Sie dort ein Terminal und fügen Sie diesen Befehl ein:", placeholder: "LINK",
    byHand: germanByHand, phone: germanPhone,
    secret: """
      Was in der Adresse hinter dem # steht, ist geheim. Ihr Browser schickt es nicht an diesen Server. \
      Zeigen Sie es sonst niemandem: Wer es hat, kann den Link benutzen, einmal.
      """,
    broken: germanBroken, commandLabel: "Befehl zum Einfügen", copy: "Befehl kopieren",
    copied: "Kopiert.", camera: germanCamera, picture: germanPicture)

  fileprivate static let germanShare = InvitationWords(
    title: "An einem geteilten Eintrag teilnehmen",
    lead: """
      Jemand teilt einen Eintrag mit Ihnen. Er steht dann bei Ihren eigenen Daten, und cloudsync hält \
      ihn bei Ihnen beiden auf demselben Stand.
      """,
    first: """
      Sie brauchen ein Konto auf diesem Server und ein Gerät, das dort aufgenommen ist. Wenn Sie keines \
      haben, bitten Sie um eine Einladung.
      """,
    second: "Öffnen Sie auf diesem Gerät ein Terminal und fügen Sie diesen Befehl ein:",
    placeholder: "LINK", byHand: germanByHand, phone: germanPhone,
    secret: """
      Was in der Adresse hinter dem # steht, ist geheim. Ihr Browser schickt es nicht an diesen Server. \
      Zeigen Sie es sonst niemandem: Wer es hat, kann an Ihrer Stelle teilnehmen.
      """,
    broken: germanBroken, commandLabel: "Befehl zum Einfügen", copy: "Befehl kopieren",
    copied: "Kopiert.", camera: germanCamera, picture: germanPicture)

  private static let germanByHand = """
    Ersetzen Sie LINK durch die ganze Adresse dieser Seite aus der Adresszeile Ihres Browsers, mit allem, \
    was hinter dem # steht.
    """
  private static let germanPhone = """
    Auf Telefonen läuft cloudsync noch nicht. Wenn Sie dies auf einem lesen, öffnen Sie den Link auf \
    Ihrem Computer.
    """
  private static let germanCamera =
    "Um den Link auf ein anderes Gerät zu bringen, lassen Sie dessen Kamera dieses Bild lesen:"
  private static let germanPicture = "QR-Code des Links"
  private static let germanBroken = """
    Diese Adresse ist kein ganzer Link: Was hinter dem # steht, fehlt oder ist beschädigt. Öffnen Sie den \
    Link noch einmal so, wie Sie ihn bekommen haben, oder bitten Sie um einen neuen.
    """
}
