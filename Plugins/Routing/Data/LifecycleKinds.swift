import PluginKit

/// What an object was, or will be: a lifecycle prefix such as `disused:amenity=pub` names no object that is there.
///
/// Source: OpenStreetMap wiki, "Lifecycle prefix".
enum LifecycleKinds {
    /// The prefixes, with the word before the kind.
    private static let states = [
        ("disused", "disused"), ("abandoned", "abandoned"), ("razed", "razed"), ("demolished", "demolished"),
        ("removed", "removed"), ("destroyed", "destroyed"), ("dismantled", "dismantled"), ("was", "former"),
        ("closed", "closed"), ("proposed", "proposed"), ("planned", "planned"),
        ("construction", "unfinished"),
    ]
    /// States that a key of their own says of the whole object.
    static let flags = ["disused", "abandoned"]
    private static let stateWords = Set(states.map(\.0))

    /// The kind of an object that has none but by such prefixes: `disused pub`; `nil` without one.
    static func kind(_ value: (String) -> String?) -> String? {
        for (prefix, word) in states {
            for key in PlaceTags.keys {
                guard let tag = value("\(prefix):\(key)"), tag != "no" else { continue }
                return "\(word) \(PlaceTags.word(key, tag))"
            }
        }
        return nil
    }

    /// Whether a key has one of the prefixes.
    static func isFormer(key: String) -> Bool {
        guard let colon = key.firstIndex(of: ":") else { return false }
        return stateWords.contains(String(key[..<colon]))
    }
}
