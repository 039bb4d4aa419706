/// The words that people write into dates: names of months, halves of the day, and what carries no meaning.
enum DateWords {
  /// A part of the day on a clock of twelve hours.
  enum Period {
    case morning, afternoon, noon, evening
  }

  /// A month and the language that calls it so.
  struct Month: Hashable {
    var language: Int
    var month: Int64
  }

  /// The months that a word in lower case may stand for.
  static func months(_ word: String) -> [Month] { table[word] ?? [] }

  /// The name of a month in a word, without the preposition that Hebrew writes together with it.
  static func monthName(in word: String) -> String? {
    if table[word] != nil { return word }
    guard word.first == "ב" else { return nil }
    let rest = String(word.dropFirst())
    return table[rest] == nil ? nil : rest
  }

  /// The month of a word; nil when languages call several months so.
  ///
  /// Some languages are far more common in exports than others: of two meanings, theirs counts, as that of
  /// `lis` is November in Polish and October in Croatian.
  static func month(_ word: String, in languages: Set<Int>?) -> Int64? {
    let all = months(word)
    let fitting = all.filter { languages?.contains($0.language) ?? true }
    let common = fitting.filter { $0.language < commonLanguages }
    let found = Set((common.isEmpty ? fitting.isEmpty ? all : fitting : common).map(\.month))
    return found.count == 1 ? found.first : nil
  }

  /// Whether the number of a month follows the word, as in Vietnamese.
  static func isMonthBefore(_ word: String) -> Bool { word == "tháng" || word == "thg" }

  /// The part of the day that some words in lower case mean, written together and without points.
  ///
  /// A single Latin letter before a time means *at* in many languages, and behind it half of the day.
  static func period(_ words: String) -> Period? { periods[words] }

  private static let periods: [String: Period] = {
    var periods: [String: Period] = [:]
    for (period, words) in [
      (
        Period.morning,
        """
        am a 오전 上午 午前 凌晨 早上 清晨 πμ ص صباحا صباحًا قظ قبلازظهر öö sa fm de dop ap дп претпл пробед
        пробяд fh priekšp priešpiet pg ก่อนเที่ยง पूर्वाह्न לפנהצ
        """
      ),
      (
        .afternoon,
        """
        pm p 오후 下午 午後 μμ م مساء مساءً بظ بعدازظهر ös ch em du odp pop ip пп попл следобед слоб eh
        pēcp popiet ptg หลังเที่ยง अपराह्न אחהצ
        """
      ),
      (.noon, "中午 正午"), (.evening, "晚上 傍晚 밤 저녁"),
    ] {
      for word in words.split(whereSeparator: \.isWhitespace) { periods[String(word)] = period }
    }
    return periods
  }()

  /// Words beside a time that say nothing about it.
  static let fillers: Set<String> = Set(
    """
    t at um à a las los alle ore às as om kl klo klockan v в во о об г года р o ob u saat στις στη óra h
    uhr godz w dnia den pukul jam lúc เวลา น في الساعة ساعت ב בשעה час ч часов hrs hs hod y и e and ko gada
    시 時 de del
    """.split(whereSeparator: \.isWhitespace).map(String.init))

  /// How many of the languages are common in exports; they come first.
  private static let commonLanguages = common.count

  private static let common = languages(
    """
    en: jan/january feb/february mar/march apr/april may jun/june jul/july aug/august
      sep/september/sept oct/october nov/november dec/december
    de: jan/januar/jän/jänner feb/februar/feber märz/mär/mrz apr/april mai juni/jun juli/jul
      aug/august sept/september/sep okt/oktober nov/november dez/dezember
    es: ene/enero feb/febrero mar/marzo abr/abril may/mayo jun/junio jul/julio ago/agosto
      sept/septiembre/sep/set/setiembre oct/octubre nov/noviembre dic/diciembre
    fr: janv/janvier févr/février/fev/fevr mars avr/avril mai juin juil/juillet/juill
      août/aou/aout sept/septembre oct/octobre nov/novembre déc/décembre/dec
    it: gen/gennaio feb/febbraio mar/marzo apr/aprile mag/maggio giu/giugno lug/luglio
      ago/agosto set/settembre ott/ottobre nov/novembre dic/dicembre
    pt: jan/janeiro fev/fevereiro mar/março abr/abril mai/maio jun/junho jul/julho ago/agosto
      set/setembro out/outubro nov/novembro dez/dezembro
    nl: jan/januari feb/februari mrt/maart apr/april mei jun/juni jul/juli aug/augustus
      sep/september okt/oktober nov/november dec/december
    sv: jan/januari feb/februari mars apr/april maj juni juli aug/augusti sep/september
      okt/oktober nov/november dec/december
    da: jan/januar feb/februar mar/marts apr/april maj jun/juni jul/juli aug/august
      sep/september okt/oktober nov/november dec/december
    nb: jan/januar feb/februar mars/mar apr/april mai juni/jun juli/jul aug/august sep/september
      okt/oktober nov/november des/desember
    fi: tammi/tammikuuta/tammikuu helmi/helmikuuta/helmikuu maalis/maaliskuuta/maaliskuu
      huhti/huhtikuuta/huhtikuu touko/toukokuuta/toukokuu kesä/kesäkuuta/kesäkuu
      heinä/heinäkuuta/heinäkuu elo/elokuuta/elokuu syys/syyskuuta/syyskuu
      loka/lokakuuta/lokakuu marras/marraskuuta/marraskuu joulu/joulukuuta/joulukuu
    pl: sty/stycznia/styczeń lut/lutego/luty mar/marca/marzec kwi/kwietnia/kwiecień maj/maja
      cze/czerwca/czerwiec lip/lipca/lipiec sie/sierpnia/sierpień wrz/września/wrzesień
      paź/października/październik/paz lis/listopada/listopad gru/grudnia/grudzień
    cs: led/ledna/leden úno/února/únor bře/března/březen dub/dubna/duben kvě/května/květen
      čvn/června/červen čvc/července/červenec srp/srpna/srpen zář/září říj/října/říjen
      lis/listopadu/listopad pro/prosince/prosinec
    sk: jan/januára/január feb/februára/február mar/marca/marec apr/apríla/apríl máj/mája
      jún/júna júl/júla aug/augusta/august sep/septembra/september okt/októbra/október
      nov/novembra/november dec/decembra/december
    hu: jan/január febr/február márc/március ápr/április máj/május jún/június júl/július
      aug/augusztus szept/szeptember okt/október nov/november dec/december
    ro: ian/ianuarie feb/februarie mar/martie apr/aprilie mai iun/iunie iul/iulie aug/august
      sept/septembrie oct/octombrie nov/noiembrie dec/decembrie
    tr: oca/ocak şub/şubat mar/mart nis/nisan may/mayıs haz/haziran tem/temmuz ağu/ağustos
      eyl/eylül eki/ekim kas/kasım ara/aralık
    el: ιαν/ιανουαρίου/ιανουάριος φεβ/φεβρουαρίου/φεβρουάριος μαρ/μαρτίου/μάρ/μάρτιος
      απρ/απριλίου/απρίλιος μαΐ/μαΐου/μάι/μάιος ιουν/ιουνίου/ιούν/ιούνιος
      ιουλ/ιουλίου/ιούλ/ιούλιος αυγ/αυγούστου/αύγ/αύγουστος σεπ/σεπτεμβρίου/σεπτέμβριος
      οκτ/οκτωβρίου/οκτώβριος νοε/νοεμβρίου/νοέ/νοέμβριος δεκ/δεκεμβρίου/δεκέμβριος
    ru: янв/января/январь февр/февраля/февраль/фев мар/марта/март апр/апреля/апрель мая/май
      июн/июня/июнь июл/июля/июль авг/августа/август сент/сентября/сентябрь/сен
      окт/октября/октябрь нояб/ноября/ноябрь/ноя дек/декабря/декабрь
    uk: січ/січня/січень лют/лютого/лютий бер/березня/березень квіт/квітня/квітень
      трав/травня/травень черв/червня/червень лип/липня/липень серп/серпня/серпень
      вер/вересня/вересень жовт/жовтня/жовтень лист/листопада/листопад груд/грудня/грудень
    zh: 一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月
    id: jan/januari feb/februari mar/maret apr/april mei jun/juni jul/juli agu/agustus
      sep/september okt/oktober nov/november des/desember
    """)

  private static let rare = languages(
    """
    hr: sij/siječnja/siječanj velj/veljače/veljača ožu/ožujka/ožujak tra/travnja/travanj
      svi/svibnja/svibanj lip/lipnja/lipanj srp/srpnja/srpanj kol/kolovoza/kolovoz
      ruj/rujna/rujan lis/listopada/listopad stu/studenoga/studeni pro/prosinca/prosinac
    sl: jan/januar feb/februar mar/marec apr/april maj jun/junij jul/julij avg/avgust
      sep/september okt/oktober nov/november dec/december
    sr: јан/јануар феб/фебруар мар/март апр/април мај јун јул авг/август сеп/септембар
      окт/октобар нов/новембар дец/децембар
    sr-Latn: jan/januar feb/februar mar/mart apr/april maj jun jul avg/avgust sep/septembar
      okt/oktobar nov/novembar dec/decembar
    bs: jan/januar feb/februar mar/mart apr/april maj jun/juni jul/juli aug/august sep/septembar
      okt/oktobar nov/novembar dec/decembar
    lt: saus/sausio/sausis vas/vasario/vasaris kov/kovo/kovas bal/balandžio/balandis
      geg/gegužės/gegužė birž/birželio/birželis liep/liepos/liepa rugp/rugpjūčio/rugpjūtis
      rugs/rugsėjo/rugsėjis spal/spalio/spalis lapkr/lapkričio/lapkritis gruod/gruodžio/gruodis
    lv: janv/janvāris febr/februāris marts apr/aprīlis maijs jūn/jūnijs jūl/jūlijs aug/augusts
      sept/septembris okt/oktobris nov/novembris dec/decembris
    et: jaan/jaanuar veebr/veebruar märts apr/aprill mai juuni juuli aug/august sept/september
      okt/oktoober nov/november dets/detsember
    bg: яну/януари фев/февруари март апр/април май юни юли авг/август сеп/септември окт/октомври
      ное/ноември дек/декември
    ca: gen/gener febr/febrer març abr/abril maig juny jul/juliol ag/agost set/setembre
      oct/octubre nov/novembre des/desembre
    eu: urt/urtarrila ots/otsaila mar/martxoa api/apirila mai/maiatza eka/ekaina uzt/uztaila
      abu/abuztua ira/iraila urr/urria aza/azaroa abe/abendua
    gl: xan/xaneiro feb/febreiro mar/marzo abr/abril maio xuño xul/xullo ago/agosto set/setembro
      out/outubro nov/novembro dec/decembro
    he: ינו/ינואר פבר/פברואר מרץ אפר/אפריל מאי יוני יולי אוג/אוגוסט ספט/ספטמבר אוק/אוקטובר
      נוב/נובמבר דצמ/דצמבר
    ar: يناير/كانونالثاني فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر
    fa: ژانویه/ژانویهٔ فوریه/فوریهٔ مارس آوریل مه/مهٔ ژوئن ژوئیه/ژوئیهٔ اوت سپتامبر اکتبر نوامبر
      دسامبر
    th: มค/มกราคม กพ/กุมภาพันธ์ มีค/มีนาคม เมย/เมษายน พค/พฤษภาคม มิย/มิถุนายน กค/กรกฎาคม
      สค/สิงหาคม กย/กันยายน ตค/ตุลาคม พย/พฤศจิกายน ธค/ธันวาคม
    hi: जन/जनवरी फ़र/फ़रवरी मार्च अप्रैल मई जून जुल/जुलाई अग/अगस्त सित/सितंबर अक्टू/अक्टूबर
      नव/नवंबर दिस/दिसंबर
    ms: jan/januari feb/februari mac apr/april mei jun jul/julai ogo/ogos sep/september
      okt/oktober nov/november dis/disember
    is: jan/janúar feb/febrúar mar/mars apr/apríl maí jún/júní júl/júlí ágú/ágúst sep/september
      okt/október nóv/nóvember des/desember
    ga: ean/eanáir feabh/feabhra márta aib/aibreán beal/bealtaine meith/meitheamh iúil
      lún/lúnasa mfómh/meánfómhair dfómh/deireadhfómhair samh/samhain noll/nollaig
    cy: ion/ionawr chwef/chwefror/chw maw/mawrth ebr/ebrill mai meh/mehefin gorff/gorffennaf/gor
      awst medi hyd/hydref tach/tachwedd rhag/rhagfyr
    mk: јан/јануари фев/февруари мар/март апр/април мај јун/јуни јул/јули авг/август
      сеп/септември окт/октомври ное/ноември дек/декември
    be: сту/студзеня/студзень лют/лютага/люты сак/сакавіка/сакавік кра/красавіка/красавік
      мая/май чэр/чэрвеня/чэрвень ліп/ліпеня/ліпень жні/жніўня/жнівень вер/верасня/верасень
      кас/кастрычніка/кастрычнік ліс/лістапада/лістапад сне/снежня/снежань
    sq: jan/janar shk/shkurt mar/mars pri/prill maj qer/qershor korr/korrik gush/gusht
      sht/shtator tet/tetor nën/nëntor dhj/dhjetor
    az: yan/yanvar fev/fevral mar/mart apr/aprel may iyn/iyun iyl/iyul avq/avqust sen/sentyabr
      okt/oktyabr noy/noyabr dek/dekabr
    kk: қаң/қаңтар ақп/ақпан нау/наурыз сәу/сәуір мам/мамыр мау/маусым шіл/шілде там/тамыз
      қыр/қыркүйек қаз/қазан қар/қараша жел/желтоқсан
    uz: yan/yanvar fev/fevral mar/mart apr/aprel may iyn/iyun iyl/iyul avg/avgust sen/sentabr
      okt/oktabr noy/noyabr dek/dekabr
    ka: იან/იანვარი თებ/თებერვალი მარ/მარტი აპრ/აპრილი მაი/მაისი ივნ/ივნისი ივლ/ივლისი
      აგვ/აგვისტო სექ/სექტემბერი ოქტ/ოქტომბერი ნოე/ნოემბერი დეკ/დეკემბერი
    hy: հնվ/հունվարի/հունվար փտվ/փետրվարի/փետրվար մրտ/մարտի/մարտ ապր/ապրիլի/ապրիլ
      մյս/մայիսի/մայիս հնս/հունիսի/հունիս հլս/հուլիսի/հուլիս օգս/օգոստոսի/օգոստոս
      սեպ/սեպտեմբերի/սեպտեմբեր հոկ/հոկտեմբերի/հոկտեմբեր նոյ/նոյեմբերի/նոյեմբեր
      դեկ/դեկտեմբերի/դեկտեմբեր
    """)

  private static let table: [String: [Month]] = {
    var table: [String: [Month]] = [:]
    for (language, months) in (common + rare).enumerated() {
      for (index, names) in months.enumerated() {
        for name in names {
          table[name, default: []].append(Month(language: language, month: Int64(index + 1)))
        }
      }
    }
    return table
  }()

  /// The names of each language: after its code twelve groups of them.
  private static func languages(_ text: String) -> [[[String]]] {
    var languages: [[[String]]] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      if word.hasSuffix(":") {
        languages.append([])
      } else {
        languages[languages.count - 1].append(word.split(separator: "/").map(String.init))
      }
    }
    return languages
  }
}
