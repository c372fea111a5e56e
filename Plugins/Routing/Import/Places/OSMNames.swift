/// The names of an object, from its tags.
struct OSMNames {
    /// Its primary name.
    let name: String
    /// Its alternative names.
    let others: [String]
    /// Whether its name is only a number.
    let isReference: Bool

    /// Tags of the primary name, in order of preference.
    private static let main = [
        "name", "official_name", "int_name", "alt_name", "short_name", "loc_name", "nat_name", "reg_name",
        "addr:housename",
    ]

    /// The names; `nil` if there is none.
    init?(_ tags: [OSMPlaces.Tag]) {
        var values: [String] = []
        for tag in tags where tag.isName {
            // Several values are separated by semicolons; a name itself may contain one.
            let parts = tag.key == "name" ? [tag.value[...]] : tag.value.split(separator: ";")
            for part in parts {
                let text = part.drop { $0 == " " }
                if !text.isEmpty { values.append(String(text)) }
            }
        }
        guard let any = values.first else { return nil }
        func value(_ key: String) -> String? {
            tags.first { $0.key == key }?.value.split(separator: ";").first.map(String.init)
        }
        let name = tags.first { $0.key == "name" }?.value
        if let name, !name.isEmpty {
            self.name = name
        } else if let main = Self.main.lazy.compactMap(value).first {
            self.name = main
        } else {
            self.name = any
        }
        isReference = tags.allSatisfy { $0.key == "ref" || !$0.isName }
        var seen: Set<String> = [self.name]
        others = values.filter { seen.insert($0).inserted }
    }

    /// Whether the value of a key is a name; the C++ reader also keeps other keys.
    static func isName(_ key: String) -> Bool {
        if ["ref", "addr:housename", "iata", "icao"].contains(key) { return true }
        if key.hasPrefix("addr:") { return false }
        let start = key.prefix { $0 != ":" }
        guard start == "name" || start.hasSuffix("_name") else { return false }
        return !notNames.contains { key.contains($0) }
    }

    private static let notNames = ["etymology", "pronunciation", "signed", "source", "prefix"]
}
