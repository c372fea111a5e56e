import PluginKit

/// A kind within a distance of a place, as people write it: `cafes within 300 m of Port Lomas`, `Cafés im Umkreis von 2 km um Lomas`.
struct RadiusPhrase {
    /// The same as a kind near a place.
    let text: String
    /// Metres.
    let radius: Double

    /// Words before the distance in the shipped languages, folded; none is one.
    private static let openings = phrases(
        "within,inside,less than,closer than,not more than,no more than,at most,up to,in a radius of,within a radius of,im umkreis von,"
            + "in einem umkreis von,innerhalb von,weniger als,höchstens,näher als,dans un rayon de,à moins de,nel raggio di,entro,"
            + "a meno di,en un radio de,a menos de,en un radi de,a menys de"
    )
    /// Words between the distance and the place.
    private static let links = phrases(
        "of,from,to,around,near,by,um,von,vom,rund um,autour de,de,du,da,dal,di,del,intorno a,alrededor de,al voltant de"
    )
    /// Words for units that tags do not have.
    private static let units = [
        "kilometre": "km", "kilometres": "km", "kilometer": "km", "kilometers": "km", "kms": "km",
        "mile": "mi",
        "miles": "mi", "meter": "m", "mètres": "m", "mètre": "m", "metri": "m", "metro": "m", "metros": "m",
        "chilometri": "km",
        "kilómetros": "km", "kilomètres": "km", "quilòmetres": "km", "meilen": "mi",
    ]

    /// The phrase in a text; `nil` if it has none.
    init?(_ typed: String) {
        let words = typed.split(whereSeparator: \.isWhitespace).map(String.init)
        for index in words.indices.dropFirst() where words[index].first?.isNumber ?? false {
            // `300m` is one word, `300 m` two.
            for count in [1, 2] where index + count < words.count {
                guard let metres = Self.metres(words[index..<index + count]), metres > 0,
                    let place = Self.rest(of: words[(index + count)...], behind: Self.links),
                    let kind = Self.kind(words[..<index])
                else { continue }
                (text, radius) = ("\(kind) near \(place)", metres)
                return
            }
        }
        return nil
    }

    private static func phrases(_ list: String) -> [[String]] {
        list.split(separator: ",").map { PlaceWords(String($0)).texts }.sorted { $0.count > $1.count }
    }

    private static func folded(_ words: some Sequence<String>) -> [String] {
        words.map { PlaceWords($0).text }
    }

    private static func metres(_ words: ArraySlice<String>) -> Double? {
        let text = words.joined().lowercased()
        let number = text.prefix { $0.isNumber || ".,".contains($0) }
        let unit = String(text.dropFirst(number.count))
        // A number alone is a house.
        return unit.isEmpty ? nil : TagNumber.metres(number + (units[unit] ?? unit))
    }

    private static func rest(of words: ArraySlice<String>, behind phrases: [[String]]) -> String? {
        let plain = folded(words)
        guard let phrase = phrases.first(where: { plain.starts(with: $0) }), words.count > phrase.count else {
            return nil
        }
        return words.dropFirst(phrase.count).joined(separator: " ")
    }

    /// The words before an opening, if they are a kind.
    private static func kind(_ words: ArraySlice<String>) -> String? {
        let plain = folded(words)
        let opening = openings.first { $0.count < plain.count && plain.ends(with: $0) } ?? []
        let kind = words.dropLast(opening.count).joined(separator: " ")
        return PlaceCategories.category(PlaceWords(kind)) == nil ? nil : kind
    }
}

extension [String] {
    fileprivate func ends(with other: [String]) -> Bool { suffix(other.count).elementsEqual(other) }
}
