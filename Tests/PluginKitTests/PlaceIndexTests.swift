import Foundation
import Geodesy
import PluginKit
import Testing

/// Finding names by what people type.
struct PlaceIndexTests {
    private static let here = Coordinate(latitude: 47.37, longitude: 8.54)

    private static func place(
        _ name: String, kind: String = "residential", rank: Int = 6, at: Coordinate = here,
        others: [String] = [], context: String? = nil
    ) -> NamedPlace {
        NamedPlace(
            name: name, kind: kind, source: "s", coordinate: at, rank: rank, otherNames: others,
            context: context)
    }

    private static let list = PlaceList([
        place("Zürich", kind: "city", rank: 0), place("Zürichbergstrasse"), place("Bahnhofstrasse"),
        place("Bahnhof Strasse 5 Bar", kind: "bar", rank: 7), place("Sankt Moritz", kind: "town", rank: 1),
        place("Saint-Gervais", kind: "village", rank: 2),
        place("Refugi de Juclà", kind: "alpine_hut", rank: 3),
        place("Broadway"), place("A 12"), place("Kai 26 1/2", kind: PlaceIndex.addressKind, rank: 8),
        place("L'Hospitalet", kind: "village", rank: 2),
        place("Москва", kind: "city", rank: 0),
        place("القاهرة", kind: "city", rank: 0), place("Αθήνα", kind: "city", rank: 0),
        place("北京市", kind: "city", rank: 0),
        place("Matterhorn", kind: "peak", rank: 3, others: ["Monte Cervino"]),
        place("Sihlstrasse", context: "Zürich"),
        place("Sihlstrasse 12", kind: PlaceIndex.addressKind, rank: 8, context: "8001 Zürich"),
        place("Sihlstrasse 120", kind: PlaceIndex.addressKind, rank: 8, context: "8001 Zürich"),
        place("Sihlstrasse 12", kind: PlaceIndex.addressKind, rank: 8, context: "9490 Vaduz"),
        place("Avinguda Meritxell"), place("Am Bach"), place("Bauernstübli", kind: "restaurant", rank: 7),
        place("Coop", kind: "supermarket", rank: 7, context: "Vaduz"),
        place("Coop", kind: "supermarket", rank: 7, context: "Schaan"),
    ])

    private func first(_ text: String) -> String? {
        Self.list.matches(PlaceQuery(PlaceWords(text), limit: 5)).first.map {
            [$0.name, $0.context].compactMap { $0 }.joined(separator: ", ")
        }
    }

    /// Each kind of input in `places.md`, by hand.
    private static let numbered = PlaceList([
        place("Fifth Avenue"), place("7th Street"), place("Twenty-third Street"), place("East 42nd Street"),
        place("Thirteenth Lane"), place("Twelve Apostles", kind: "peak", rank: 3),
        place("Straße des 17. Juni"),
        place("Rue du 8 Mai 1945"), place("Elm Lane"), place("Avenue Foch"), place("Twenty Trees Lane"),
    ])

    @Test(arguments: [
        ("5th Avenue", "Fifth Avenue"), ("Seventh Street", "7th Street"),
        ("23rd Street", "Twenty-third Street"),
        ("Forty-Second Street", "East 42nd Street"), ("forty second street", "East 42nd Street"),
        ("13th Lane", "Thirteenth Lane"), ("12 Apostles", "Twelve Apostles"),
        ("Straße des siebzehnten Juni", "Straße des 17. Juni"), ("Rue du huit mai 1945", "Rue du 8 Mai 1945"),
        ("20 Trees Lane", "Twenty Trees Lane"),
    ])
    func numbersMayBeWrittenOut(text: String, name: String) {
        let found = Self.numbered.matches(PlaceQuery(PlaceWords(text), limit: 5)).first
        #expect(found?.name == name)
        #expect(found?.quality.manner.isGuess == false)
    }

    @Test(arguments: [
        // Prefixes, diacritics, case.
        ("zür", "Zürich"), ("ZURICH", "Zürich"), ("ref juc", "Refugi de Juclà"),
        // Transliteration of umlauts, and of other scripts both ways.
        ("Zuerich", "Zürich"), ("zuerichberg", "Zürichbergstrasse"), ("Bauernstuebli", "Bauernstübli"),
        ("moskva", "Москва"), ("москва", "Москва"), ("athena", "Αθήνα"), ("bei jing", "北京市"),
        ("beijing", "北京市"), ("北京", "北京市"), ("alqahrt", "القاهرة"), ("القاهرة", "القاهرة"),
        // A Cyrillic і and с among Latin letters.
        ("Zurі\u{441}h", "Zürich"),
        // Abbreviations and compounds in both directions.
        ("Bahnhofstr.", "Bahnhofstrasse"), ("Bahnhofstraße", "Bahnhofstrasse"), ("Bdwy", "Broadway"),
        ("A12", "A 12"), ("Kai 26½", "Kai 26 1/2"),
        ("bahnhof strasse", "Bahnhofstrasse"), ("bahnhofstrasse 5 bar", "Bahnhof Strasse 5 Bar"),
        ("St Moritz", "Sankt Moritz"), ("St. Gervais", "Saint-Gervais"),
        ("av meritxell", "Avinguda Meritxell"),
        ("lhospitalet", "L'Hospitalet"), ("ambach", "Am Bach"), ("a mbach", "Am Bach"),
        // Mistakes: dropped, doubled, replaced, swapped; two in a long word.
        ("Zrich", "Zürich"), ("Züürich", "Zürich"), ("Zärich", "Zürich"), ("Züirch", "Zürich"),
        ("Bahnhfostrasee", "Bahnhofstrasse"), ("mattrhorn", "Matterhorn"),
        // Word order, further names, what a place lies in.
        ("jucla refugi", "Refugi de Juclà"), ("monte cervino", "Matterhorn"), ("cervino", "Matterhorn"),
        ("coop schaan", "Coop, Schaan"), ("vaduz coop", "Coop, Vaduz"),
        // Addresses.
        ("Sihlstrasse 12, Zürich", "Sihlstrasse 12, 8001 Zürich"),
        ("12 Sihlstrasse vaduz", "Sihlstrasse 12, 9490 Vaduz"),
        ("sihlstr. 12 8001", "Sihlstrasse 12, 8001 Zürich"), ("sihlstrasse", "Sihlstrasse, Zürich"),
    ])
    func whatIsTypedIsFound(text: String, place: String) {
        #expect(first(text) == place)
    }

    @Test func aStreetIsNotBuriedUnderItsAddresses() {
        let found = Self.list.matches(PlaceQuery(PlaceWords("sihlstrasse"), limit: 10))
        #expect(found.map(\.name) == ["Sihlstrasse"])
    }

    @Test func aGuessSaysThatItIsOne() {
        func manner(_ text: String) -> PlaceMatch.Manner? {
            Self.list.matches(PlaceQuery(PlaceWords(text), limit: 1)).first?.quality.manner
        }
        #expect(manner("zürich") == .whole)
        #expect(manner("zuri") == .words)
        #expect(manner("monte cervino") == .otherName)
        #expect(manner("zrich") == .misspelt)
        #expect(manner("matterhorn xyzxyz") == .partial)
        #expect(manner("xyzxyz") == nil)
    }

    @Test(arguments: [
        "", " ", "a", "🏔️", "\"*) --", "'; DROP TABLE rutter_places; --", "NEAR(a b)", "\u{202E}hcirüZ", "\0",
        String(repeating: "a", count: 10_000), String(repeating: "a ", count: 10_000), "%_", "{a}:b",
    ])
    func anyTextIsSafe(text: String) {
        _ = Self.list.matches(PlaceQuery(PlaceWords(text), near: Self.here, limit: 5))
    }

    // MARK: Against slow references

    /// The optimal string alignment distance, by its definition.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var table = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
        for i in 0...a.count {
            for j in 0...b.count {
                if i == 0 || j == 0 {
                    table[i][j] = i + j
                    continue
                }
                var least = min(table[i - 1][j] + 1, table[i][j - 1] + 1)
                least = min(least, table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    least = min(least, table[i - 2][j - 2] + 1)
                }
                table[i][j] = least
            }
        }
        return table[a.count][b.count]
    }

    @Test func wordsWithMistakesAreThoseWithinTheDistance() {
        var random = Xoshiro256(seed: 9)
        func word() -> String {
            String(
                (0..<Int.random(in: 3...10, using: &random)).map { _ in
                    "abc".randomElement(using: &random) ?? "a"
                })
        }
        let words = Set((0..<300).map { _ in word() }).sorted()
        let list = PlaceList(words.map { Self.place($0) })
        for _ in 0..<60 {
            let typed = word()
            // An existing word does not match as a misspelling of another.
            if words.contains(typed) { continue }
            let most = typed.utf8.count > 7 ? 2 : 1
            let expected = words.filter { Self.distance(Array($0.utf8), Array(typed.utf8)) <= most }
            let found = list.matches(PlaceQuery(PlaceWords(typed), limit: 1000)).filter {
                $0.name.utf8.count + most >= typed.utf8.count
            }
            #expect(Set(expected).isSubset(of: Set(found.map(\.name))), "\(typed)")
            for match in found where match.quality.manner == .misspelt {
                let near = (0...match.name.count).map { String(match.name.prefix($0)) }
                    .contains { Self.distance(Array($0.utf8), Array(typed.utf8)) <= most }
                #expect(near, "\(typed) \(match.name)")
            }
        }
    }

    /// With a limit above their number no name is skipped; the best of them are the reference.
    @Test func passingOverWhatCannotBeAmongTheBestChangesNothing() {
        var random = Xoshiro256(seed: 12)
        let syllables = ["al", "pe", "see", "berg", "s", "st"]
        func word() -> String {
            (0..<Int.random(in: 1...3, using: &random)).map { _ in
                syllables.randomElement(using: &random) ?? ""
            }.joined()
        }
        let list = PlaceList(
            (0..<1500).map { number in
                Self.place(
                    (0..<Int.random(in: 1...3, using: &random)).map { _ in word() }.joined(separator: " "),
                    rank: number % 9,
                    at: Coordinate(
                        latitude: Double.random(in: 46...47, using: &random),
                        longitude: Double.random(in: 7...8, using: &random)),
                    others: number % 5 == 0 ? [word()] : [], context: number % 3 == 0 ? word() : nil)
            })
        let near = Coordinate(latitude: 46.5, longitude: 7.5)
        for number in 0..<60 {
            let text = word() + (number % 2 == 0 ? " " + word() : "")
            for place in [nil, near] {
                let few = list.matches(PlaceQuery(PlaceWords(text), near: place, limit: 5)).map(\.order)
                let all = list.matches(PlaceQuery(PlaceWords(text), near: place, limit: 20_000)).map(\.order)
                #expect(few == Array(all.prefix(5)), "\(text)")
            }
        }
    }

    @Test func nearnessAreaAndKindFilter() {
        var random = Xoshiro256(seed: 5)
        let places = (0..<500).map { number in
            Self.place(
                "Haus \(number % 50)", kind: number % 3 == 0 ? "hotel" : "farm",
                at: Coordinate(
                    latitude: Double.random(in: 46...47, using: &random),
                    longitude: Double.random(in: 7...8, using: &random)))
        }
        let list = PlaceList(places)
        let near = Coordinate(latitude: 46.5, longitude: 7.5)
        let words = PlaceWords("haus")
        let inside = list.matches(PlaceQuery(words, near: near, radius: 20_000, limit: 1000))
        #expect(inside.count == places.count { $0.coordinate.distance(to: near) <= 20_000 })
        let hotels = list.matches(PlaceQuery(words, kinds: ["hotel"], limit: 1000))
        #expect(hotels.count == places.count { $0.kind == "hotel" })
        // A triangle, with the half-plane test as the reference.
        let ring = [(46.0, 7.0), (47.0, 7.0), (46.0, 8.0)].map {
            Coordinate(latitude: $0.0, longitude: $0.1)
        }
        let area = PlaceArea.rings([ring], BoundingBox(south: 46, west: 7, north: 47, east: 8))
        let found = list.matches(PlaceQuery(words, area: area, limit: 1000))
        #expect(found.count == places.count { $0.coordinate.latitude - 46 + $0.coordinate.longitude - 7 < 1 })
        // Without words all of a kind, the nearest first.
        let all = list.matches(PlaceQuery(PlaceWords(""), near: near, kinds: ["hotel"], limit: 5))
        let nearest = places.filter { $0.kind == "hotel" }.map { $0.coordinate.distance(to: near) }.min()
        #expect(all.first?.distance == nearest)
    }

    @Test func anExactNameIsFoundAmongManyThatBeginSo() {
        var places = (0..<30_000).map { Self.place("Sa\($0) Weg", rank: 0) }
        places.append(Self.place("Sa", rank: 9, at: Coordinate(latitude: 47, longitude: 8)))
        let list = PlaceList(places)
        #expect(list.matches(PlaceQuery(PlaceWords("sa"), limit: 5)).first?.name == "Sa")
        // Near ones are included, although their rank is the lowest.
        let near = PlaceQuery(PlaceWords("s"), near: Coordinate(latitude: 47, longitude: 8), limit: 1)
        #expect(list.matches(near).first?.name == "Sa")
    }

    @Test func acrossTheAntimeridian() {
        let list = PlaceList([
            Self.place("East", at: Coordinate(latitude: 0, longitude: 179.99)),
            Self.place("Eastern", at: Coordinate(latitude: 0, longitude: -179.99)),
        ])
        let query = PlaceQuery(
            PlaceWords("east"), near: Coordinate(latitude: 0, longitude: 180), radius: 5000, limit: 5)
        #expect(list.matches(query).map(\.name) == ["East", "Eastern"])
    }

    // MARK: The file

    @Test func theFileHoldsTheIndex() throws {
        var random = Xoshiro256(seed: 7)
        let parts = ["al", "pe", "Mün", "sant", "a", "l'", "É", "9", "日本", "о", " "]
        var entries: [PlaceIndex.Entry] = []
        for number in 0..<400 {
            let count = Int.random(in: 1...4, using: &random)
            let name = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            let place = Coordinate(
                latitude: Double.random(in: 46...47, using: &random),
                longitude: Double.random(in: 7...8, using: &random))
            var entry = PlaceIndex.Entry(
                name: name, kind: "k\(number % 5)", rank: number % 10, coordinate: place)
            entry.prominence = Double(number % 3) / 2
            if number % 4 == 0 { entry.otherNames = ["Other \(number)"] }
            if number % 2 == 0 { entry.context = "9490 Vaduz" }
            entries.append(entry)
        }
        let (index, order) = PlaceIndex.build(entries, check: {})
        let data = PlaceIndexFile.data(index, stamp: 5)
        #expect(PlaceIndexFile.index(data, stamp: 6) == nil)
        let read = try #require(PlaceIndexFile.index(data, stamp: 5))
        func matches(_ index: PlaceIndex, _ text: String) -> [PlaceMatch] {
            index.matches(PlaceQuery(PlaceWords(text), limit: 20)) { number in
                Self.place(entries[order[number]].name, at: entries[order[number]].coordinate)
            }
        }
        for text in ["al", "munpe", "other 4", "日本", "vaduz al", "a"] {
            #expect(matches(read, text) == matches(index, text), "\(text)")
        }
        // Nothing in a damaged file traps.
        for length in stride(from: 0, to: data.count, by: 97) {
            #expect(PlaceIndexFile.index(data.prefix(length), stamp: 5) == nil)
        }
        for _ in 0..<200 {
            var broken = data
            broken[Int.random(in: 8..<data.count, using: &random)] ^=
                1 << UInt8.random(in: 0..<8, using: &random)
            #expect(PlaceIndexFile.index(broken, stamp: 5) == nil)
        }
    }

    @Test func namesWithoutWordsAndPlacesOutOfRangeAreLeftOut() {
        let (index, _) = PlaceIndex.build(
            [
                PlaceIndex.Entry(name: "***", kind: "x", rank: 0, coordinate: Self.here),
                PlaceIndex.Entry(
                    name: "a", kind: "x", rank: 0, coordinate: Coordinate(latitude: 99, longitude: 1)),
                PlaceIndex.Entry(name: "b", kind: "x", rank: 0, coordinate: Self.here),
            ], check: {})
        #expect(index.count == 1)
    }

    /// A number that only begins with the typed one is another: it must not be chosen without asking.
    @Test(arguments: [
        ("Kirchweg 20", "Kirchweg 207", true), ("Kirchweg 20", "Kirchweg 20a", true),
        ("Kirchweg 20", "Kirchweg 20 a", true), ("Kirchweg 20", "Kirchweg 20", false),
        ("Kirchweg 20a", "Kirchweg 20 a", false),
        ("Kirchweg 20", "Kirchweg 20, Ried", false), ("11 Avenue", "11th Avenue 3", false),
    ])
    func aLongerNumberIsAnother(text: String, name: String, isGuess: Bool) {
        let kind = name.hasPrefix("11th") ? "residential" : PlaceIndex.addressKind
        let list = PlaceList([Self.place(name, kind: kind, rank: 8)])
        let found = list.matches(PlaceQuery(PlaceWords(text), limit: 5))
        #expect(found.first?.quality.manner.isGuess == isGuess)
    }

    // MARK: Scripts without vowels

    private static let consonants = PlaceList([
        place("חיים הזז", context: "חיפה"), place("חיפה", kind: "town", rank: 1),
        place("תל אביב", kind: "city", rank: 0),
        place("ירושלים", kind: "city", rank: 0),
        place("القاهرة", kind: "city", rank: 0), place("شارع النيل"), place("Hazel Lane"),
        place("Karl-Marx-Allee"), place("Haz Row"),
    ])

    /// Hebrew and Arabic have no vowels, and transliterations differ in them.
    @Test(arguments: [
        ("Haim Hazaz", "חיים הזז"), ("Chaim Hazaz", "חיים הזז"), ("Haim Hazaz Haifa", "חיים הזז"),
        ("Tel Aviv", "תל אביב"), ("Yerushalayim", "ירושלים"), ("Jerusalem", "ירושלים"),
        ("al-Qahira", "القاهرة"), ("Qahirah", "القاهرة"), ("Shari an-Nil", "شارع النيل"),
        ("sharia el nil", "شارع النيل"),
    ])
    func aNameWithoutVowelsIsFoundAsAGuess(text: String, name: String) {
        let found = Self.consonants.matches(PlaceQuery(PlaceWords(text), limit: 3)).first
        #expect(found?.name == name)
        #expect(found?.quality.manner.isGuess == true)
    }

    @Test(arguments: ["Aia"]) func fewConsonantsAreNoName(text: String) {
        let found = Self.consonants.matches(PlaceQuery(PlaceWords(text), limit: 3))
        #expect(!found.contains { $0.name.unicodeScalars.contains { $0.value > 0x500 } })
    }

    @Test(arguments: ["karlmarxallee", "karlmarxall"]) func aCompoundOfThreeWords(text: String) {
        let found = Self.consonants.matches(PlaceQuery(PlaceWords(text), limit: 3)).first
        #expect(found?.name == "Karl-Marx-Allee")
    }
}
