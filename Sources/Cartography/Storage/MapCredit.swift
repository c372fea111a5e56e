extension MapFact {
    /// Between two credits.
    static let creditSeparator = " · "
}

extension MapTable.Facts {
    /// The attribution of the map features.
    var credit: String { values[MapFact.attribution] ?? MapAttribution.openStreetMap }

    /// The attribution of the heights; `nil` without heights.
    var heightCredit: String? { values[MapFact.heightSource].map(HeightCredit.words) }
}

/// The attribution of heights. A region stores the sources that the names of its files reveal, and the names of tiles
/// otherwise: a tile's corner credits nobody.
enum HeightCredit {
    private static let prefix = "elevation: "
    private static let unnamed = "source not named"

    /// The credit of what a region stored.
    static func words(_ stored: String) -> String {
        var names: [String] = []
        var isUnnamed = false
        for part in stored.split(separator: ", ", omittingEmptySubsequences: true) {
            let name = part.hasPrefix(prefix) ? part.dropFirst(prefix.count) : part
            if isTile(name) {
                isUnnamed = true
            } else if !names.contains(String(name)) {
                names.append(String(name))
            }
        }
        if isUnnamed { names.append(unnamed) }
        return prefix + names.joined(separator: ", ")
    }

    /// Whether a name is that of a tile by its south-western corner, such as `N46E008`.
    private static func isTile(_ name: Substring) -> Bool {
        let letters = Array(name.uppercased())
        guard letters.count == 7, "NS".contains(letters[0]), "EW".contains(letters[3]) else { return false }
        return (letters[1...2] + letters[4...6]).allSatisfy { $0.isASCII && $0.isNumber }
    }
}
