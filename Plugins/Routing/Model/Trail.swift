import TurnInstructions

/// A marked hiking trail: a relation of the map.
package struct Trail: Sendable, Hashable {
    /// Its OSM id.
    package var id: Int64
    package var name: String?
    package var ref: String?
    /// `iwn`, `nwn`, `rwn` or `lwn`: international, national, regional, local.
    package var network: String?
    /// The tag `osmc:symbol`.
    package var symbol: String?

    package init(
        id: Int64, name: String? = nil, ref: String? = nil, network: String? = nil, symbol: String? = nil
    ) {
        self.id = id
        self.name = name
        self.ref = ref
        self.network = network
        self.symbol = symbol
    }

    /// The text on signposts; `nil` if it has neither name nor number.
    package var label: String? { ref ?? name }

    /// The importance: 0 international … 3 local, 4 unknown.
    var rank: Int { ["iwn", "nwn", "rwn", "lwn"].firstIndex(of: network ?? "") ?? 4 }

    /// Its waymark in turn instructions.
    var mark: TrailMark? { label.map { TrailMark(name: $0, symbol: symbolWords) } }

    /// The waymark in words: `red:red:white_bar` is red-white-red, `x:white:red_diamond` a red diamond on
    /// white.
    ///
    /// Source: OpenStreetMap wiki, "Key:osmc:symbol": way colour, background, foreground.
    package var symbolWords: String? {
        let parts = (symbol ?? "").split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 3, !parts[1].isEmpty, !parts[2].isEmpty else { return nil }
        let background = parts[1].split(separator: "_").first.map(String.init) ?? parts[1]
        let foreground = parts[2].split(separator: "_", maxSplits: 1).map(String.init)
        if foreground.count == 2, foreground[1] == "bar" {
            return "\(background)-\(foreground[0])-\(background)"
        }
        let shape = foreground.joined(separator: " ").replacing("_", with: " ")
        return "\(shape) on \(background)"
    }
}
