import Foundation

/// The rule by which a text names a waypoint, hike, route, beacon or tone: a name as it is written, else one that differs in
/// case, accents or width, else the first letters of an identifier.
public enum NameMatch {
    /// Fewest letters that an identifier is known by: less may be a name that nothing has.
    static let shortestIdentifier = 4

    /// The items that a text names.
    public static func items<Item>(
        _ items: some Collection<Item>, named text: String, name: (Item) -> String, id: (Item) -> String
    ) -> [Item] {
        guard !text.isEmpty else { return [] }
        let exact = items.filter { name($0) == text }
        if !exact.isEmpty { return exact }
        let folded = text.foldedForSearch
        let alike = items.filter { name($0).foldedForSearch == folded }
        if !alike.isEmpty || !mayBeginIdentifier(text) { return alike }
        return items.filter { id($0).foldedForSearch.hasPrefix(folded) }
    }

    /// Whether a text that is no name may be the beginning of an identifier.
    public static func mayBeginIdentifier(_ text: String) -> Bool { text.count >= shortestIdentifier }

    /// Whether a name begins with what was typed of it.
    public static func begins(_ name: String, with typed: String) -> Bool {
        name.foldedForSearch.hasPrefix(typed.foldedForSearch)
    }
}

extension String {
    /// The text without case, accents and width, for comparing what people type.
    public var foldedForSearch: String {
        folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }
}
