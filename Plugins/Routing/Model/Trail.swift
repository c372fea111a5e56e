import TurnInstructions

/// A marked hiking trail: a relation of the map.
package struct Trail: Sendable, Hashable {
    /// Its OSM id.
    package var id: Int64
    package var name: String?
    var ref: String?
    /// `iwn`, `nwn`, `rwn` or `lwn`: international, national, regional, local.
    var network: String?
    /// The tag `osmc:symbol`.
    var symbol: String?

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
    var mark: TrailMark? { isMarked ? TrailMark(name: label, waymark: waymark) : nil }

    /// Whether a walker can recognise it: by name, number, or what is painted.
    var isMarked: Bool { label != nil || waymark != nil }

    private var waymark: Waymark? { symbol.flatMap(Waymark.init(osmc:)) }

    /// The waymark in words: `red:red:white_bar` is red-white-red, `x:white:red_diamond` a red diamond on
    /// white.
    var symbolWords: String? { waymark?.words() }
}
