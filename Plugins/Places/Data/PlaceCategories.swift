import PluginKit

/// Words for kinds of places, in the languages of the shipped names: English, German, French, Italian, Spanish, Catalan.
enum PlaceCategories {
    /// A kind of place that users search, with one word or several.
    struct Category: Sendable, Hashable {
        /// The value of `--kind`.
        let word: String
        /// The kinds of places that it includes.
        let kinds: Set<String>
        /// Whether its words alone are a query for the kind: `huts`, but not `street`, which is part of
        /// many names.
        fileprivate let standsAlone: Bool
        /// Its words, folded.
        fileprivate let phrases: [[UInt8]]

        init(_ word: String, _ kinds: [String], _ phrases: String, alone: Bool = true) {
            self.word = word
            standsAlone = alone
            self.kinds = Set(kinds)
            self.phrases = phrases.split(separator: ",").map { PlaceWords.fold(String($0)) }
        }

        /// The objects with one value of a tag, such as `alpine_hut`.
        static func tag(_ value: String) -> Category { Category(value, [value], "") }
    }

    /// All categories; of those with the same word the first is meant.
    static let all: [Category] = specific + everyday + broad

    private static let broad: [Category] = [
        Category(
            "hut", ["alpine_hut", "wilderness_hut", "shelter", "basic_hut"],
            "hut,huts,mountain hut,mountain huts,hütte,hütten,berghütte,berghütten,sac hütte,refuge,refuges,cabane,cabanes,"
                + "rifugio,rifugi,bivacco,capanna,refugio,refugios,refugi,refugis,cabana"),
        Category(
            "peak", ["peak", "volcano"],
            "peak,peaks,summit,summits,mountain,mountains,gipfel,berg,berge,sommet,sommets,cima,cime,vetta,pico,picos,cumbre,"
                + "pic,pics,cim,cims,montagne,montagna,montaña"),
        Category(
            "pass", ["mountain_pass", "saddle"],
            "pass,passes,saddle,pässe,joch,sattel,col,cols,passo,passi,valico,puerto,paso,coll,colls,port"),
        Category(
            "water",
            [
                "drinking_water", "spring", "fountain", "water_well", "water_point", "waterSource",
                "water_tap", "drinking_fountain",
            ],
            "water,drinking water,spring,springs,fountain,fountains,wasser,trinkwasser,quelle,quellen,brunnen,eau,eau potable,"
                + "source,sources,fontaine,fontaines,acqua,acqua potabile,sorgente,fontana,agua,agua potable,fuente,fuentes,"
                + "aigua,aigua potable,font,fonts"),
        Category(
            "lake", ["water", "reservoir", "lake"],
            "lake,lakes,see,seen,lac,lacs,lago,laghi,lagos,estany,estanys,llac,reservoir,stausee"),
        Category(
            "viewpoint", ["viewpoint"],
            "viewpoint,viewpoints,view,aussicht,aussichtspunkt,point de vue,belvédère,belvedere,punto panoramico,mirador,"
                + "miradores,miradors"),
        Category(
            "camp", ["camp_site", "caravan_site", "campsite", "camp_pitch"],
            "camp,camping,campsite,campsites,camp site,camp sites,campground,zeltplatz,campingplatz,campings,campeggio,"
                + "campamento,càmping,càmpings"),
        Category(
            "hotel", ["hotel", "guest_house", "hostel", "motel", "chalet", "apartment"],
            "hotel,hotels,hostel,hostels,guest house,accommodation,unterkunft,gasthaus,jugendherberge,hôtel,hôtels,auberge,"
                + "albergo,alberghi,ostello,hoteles,albergue,hostal,hotels,alberg"),
        Category(
            "food", ["restaurant", "cafe", "fast_food", "bar", "pub", "biergarten", "food_court"],
            "restaurant,restaurants,food,cafe,cafés,bar,bars,pub,pubs,eat,essen,gaststätte,wirtshaus,café,ristorante,ristoranti,"
                + "restaurante,restaurantes,menjar"),
        Category(
            "shop",
            [
                "supermarket", "convenience", "bakery", "butcher", "grocery", "general", "department_store",
                "mall", "greengrocer", "farm",
            ],
            "shop,shops,groceries,supermarket,supermarkets,bakery,bakeries,laden,läden,supermarkt,supermärkte,lebensmittel,bäckerei,"
                + "magasin,supermarché,épicerie,boulangerie,negozio,supermercato,panetteria,tienda,supermercado,panadería,"
                + "botiga,supermercat,forn"),
        Category(
            "stop",
            [
                "bus_stop", "platform", "stop_position", "tram_stop", "halt", "station", "bus_station",
                "bus stop", "train stop", "tram stop", "stop_area",
            ],
            "stop,stops,bus stop,bus stops,haltestelle,haltestellen,bushaltestelle,arrêt,arrêts,arrêt de bus,fermata,fermate,"
                + "parada,paradas,parades,parada de bus"),
        Category(
            "station", ["station", "halt", "train stop"],
            "station,stations,train station,railway station,bahnhof,bahnhöfe,gare,gares,stazione,stazioni,estación,"
                + "estaciones,estació"),
        Category(
            "parking", ["parking", "parking_entrance"],
            "parking,car park,car parks,parkplatz,parkplätze,parkhaus,parcheggio,aparcamiento,aparcament,pàrquing"
        ),
        Category(
            "toilets", ["toilets"],
            "toilet,toilets,wc,toilette,toiletten,toilettes,gabinetto,servizi,baño,baños,aseos,lavabos"),
        Category(
            "castle", ["castle", "ruins", "fort"],
            "castle,castles,ruin,ruins,burg,burgen,schloss,schlösser,ruine,ruinen,château,châteaux,castello,castelli,castillo,"
                + "castillos,castell,castells"),
        Category(
            "church", ["church", "chapel", "cathedral", "monastery"],
            "church,churches,chapel,chapels,kirche,kirchen,kapelle,kapellen,église,églises,chapelle,chiesa,chiese,iglesia,iglesias,església,"
                + "esglésies,ermita"),
        Category(
            "hospital", ["hospital", "clinic", "doctors", "pharmacy"],
            "hospital,hospitals,doctor,doctors,pharmacy,pharmacies,spital,krankenhaus,arzt,apotheke,hôpital,pharmacie,ospedale,farmacia,"
                + "farmàcia,emergency"),
        Category(
            "town", ["city", "town", "village", "hamlet", "suburb", "municipality"],
            "town,towns,village,villages,city,cities,stadt,städte,dorf,dörfer,ville,villes,città,paese,paesi,pueblo,pueblos,"
                + "ciudad,poble,pobles,ciutat", alone: false),
        Category(
            "street",
            [
                "residential", "primary", "secondary", "tertiary", "pedestrian", "living_street",
                "unclassified",
            ],
            "street,streets,road,strasse,strassen,rue,rues,via,vie,calle,calles,carrer,carrers", alone: false),
        Category(
            "address", ["address"], "address,addresses,adresse,adressen,indirizzo,dirección,adreça",
            alone: false),
        Category(
            "postcode", ["postcode"],
            "postcode,postcodes,plz,postleitzahl,code postal,cap,código postal,codi postal", alone: false),
    ]

    /// Words between a kind and the place near which it is searched; those of the second list mean inside
    /// of it.
    private static let near = words(
        "near,nearby,around,by,at,close to,next to,bei,beim,nahe,um,nähe,in der nähe von,près de,proche de,autour de,vers,"
            + "vicino a,presso,intorno a,cerca de,alrededor de,prop de,a prop de,al voltant de")
    private static let inside = words("in,im,inside,within,à,dans,en,a,ad,nel,nella,dins,dentro de")

    private static func words(_ list: String) -> [[UInt8]] {
        list.split(separator: ",").map { PlaceWords.fold(String($0)) }.sorted { $0.count > $1.count }
    }

    private static let byPhrase: [[UInt8]: Category] = {
        var result: [[UInt8]: Category] = [:]
        for category in all {
            for phrase in category.phrases + [Array(category.word.utf8)] where result[phrase] == nil {
                result[phrase] = category
            }
        }
        return result
    }()

    /// The category of a word.
    static func category(_ words: PlaceWords) -> Category? { byPhrase[words.folded] }

    /// The category of a whole text.
    static func wholeText(_ words: PlaceWords) -> Category? {
        byPhrase[words.folded].flatMap { $0.standsAlone ? $0 : nil }
    }

    /// The readings of words as a kind beside a name, as in `bus stop Central` and `Adler hotel`, the longest word of a kind first.
    static func besideName(_ words: PlaceWords) -> [(category: Category, name: PlaceWords)] {
        let texts = words.texts
        return (1...mostWords).reversed().filter { $0 < texts.count }.flatMap { count in
            [(texts.prefix(count), texts.dropFirst(count)), (texts.suffix(count), texts.dropLast(count))]
                .compactMap { kind, name in
                    wholeText(PlaceWords(kind.joined(separator: " "))).map {
                        ($0, PlaceWords(name.joined(separator: " ")))
                    }
                }
        }
    }

    /// A query for a kind at a place.
    struct Request: Sendable, Hashable {
        /// The kind.
        let category: Category
        /// The text of the place.
        let place: String
        /// Whether results must be inside of it.
        let isInside: Bool
    }

    /// A kind before a comma or in brackets, and the place after it: `restaurant, Vaduz`, `[restaurant]
    /// Vaduz`.
    static func request(listed text: String) -> Request? {
        guard let end = text.firstIndex(where: { $0 == "," || $0 == "]" }),
            (text[end] == "]") == text.hasPrefix("["),
            let category = category(PlaceWords(String(text[..<end])))
        else { return nil }
        let place = PlaceWords(String(text[end...]))
        return place.isEmpty ? nil : Request(category: category, place: place.text, isInside: true)
    }

    /// A request for the nearest of a kind as one for the kind: `nearest toilets to Vaduz` as `toilets near Vaduz`, `pharmacie la plus
    /// proche` as `pharmacie`. Any other text is unchanged.
    static func withoutNearest(_ text: String) -> String {
        let words = text.split(whereSeparator: \.isWhitespace)
        func kind(_ words: ArraySlice<Substring>) -> String? {
            let kind = words.joined(separator: " ")
            return category(PlaceWords(kind)) == nil ? nil : kind
        }
        if let first = words.first, nearest.contains(first.lowercased()) {
            let rest = words.dropFirst()
            if let alone = kind(rest) { return alone }
            for (index, word) in zip(rest.indices, rest) where towards.contains(word.lowercased()) {
                guard let kind = kind(rest[..<index]), index + 1 < rest.endIndex else { continue }
                return "\(kind) near \(rest[(index + 1)...].joined(separator: " "))"
            }
            return text
        }
        let lower = text.lowercased()
        let ending = nearestEndings.first { lower.hasSuffix(" " + $0) }
        guard let ending else { return text }
        return kind(words.dropLast(ending.split(separator: " ").count)) ?? text
    }

    private static let nearest: Set<String> = [
        "nearest", "closest", "nächste", "nächster", "nächstes", "nächsten", "nächstgelegene",
    ]
    private static let towards: Set<String> = ["to", "from", "zu", "von"]
    private static let nearestEndings = [
        "la plus proche", "le plus proche", "les plus proches", "più vicina", "più vicino", "más cercana",
        "más cercano", "nearest", "closest", "near me", "in der nähe", "cerca de mí", "près de moi",
    ]

    /// Words without a connector at their end, as before a coordinate.
    static func withoutConnector(_ words: [String]) -> [String] {
        for count in (1...3).reversed() where count < words.count {
            if near.contains(Array(words.suffix(count).joined(separator: " ").utf8)) {
                return Array(words.dropLast(count))
            }
        }
        return words
    }

    /// Whether words end with a connector: what follows is a place.
    static func endsWithConnector(_ words: [String]) -> Bool {
        withoutConnector(words).count < words.count
    }

    /// The kind that regions may have by a word that no category lists: `clothes`, `hunting stands`; `nil` for a listed one.
    static func unlisted(_ words: PlaceWords) -> Category? {
        guard (1...mostWords).contains(words.count), category(words) == nil else { return nil }
        let spaced = words.texts.joined(separator: " ")
        let forms = spaced.hasSuffix("s") ? [spaced, String(spaced.dropLast())] : [spaced]
        return Category(spaced, forms.flatMap { [$0, $0.replacing(" ", with: "_")] }, "")
    }

    /// The most words of a kind.
    private static let mostWords = 3

    /// Parses a kind and the text of a place: `huts near Vaduz`.
    static func request(_ words: PlaceWords) -> Request? {
        request(words) { byPhrase[Array($0.joined(separator: " ").utf8)] }
    }

    /// The same for a kind that is not listed.
    static func unlistedRequest(_ words: PlaceWords) -> Request? {
        request(words) { unlisted(PlaceWords($0.joined(separator: " "))) }
    }

    private static func request(_ words: PlaceWords, _ category: ([String]) -> Category?) -> Request? {
        let texts = words.texts
        for count in (1...mostWords).reversed() where count < texts.count {
            guard let category = category(Array(texts[..<count])) else { continue }
            let rest = Array(texts[count...].joined(separator: " ").utf8)
            for (connectors, isInside) in [(near, false), (inside, true)] {
                for connector in connectors where rest.count > connector.count + 1 {
                    guard rest.starts(with: connector), rest[connector.count] == UInt8(ascii: " ") else {
                        continue
                    }
                    let place = String(decoding: rest[(connector.count + 1)...], as: UTF8.self)
                    return Request(category: category, place: place, isInside: isInside)
                }
            }
        }
        return nil
    }
}
