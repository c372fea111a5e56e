/// How many of a kind there are, with the names of the first few.
struct Examples {
    private(set) var count = 0
    private var names: [String] = []
    /// Names that are said.
    private static let most = 3
    /// Characters of a name that are said.
    private static let longest = 40

    mutating func add(_ name: String?) {
        count += 1
        self.name(name)
    }

    /// Gives the last one its name, if that stands after it.
    mutating func name(_ name: String?) {
        if names.count < Self.most, let name = name?.nonEmpty {
            names.append("`\(name.prefix(Self.longest))`")
        }
    }

    /// The names in brackets, empty without names; `nil` if there are none of the kind.
    var words: String? {
        guard count > 0 else { return nil }
        guard !names.isEmpty else { return "" }
        return " (" + names.joined(separator: ", ") + (count > names.count ? ", …)" : ")")
    }
}
