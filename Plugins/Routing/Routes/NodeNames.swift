import PluginKit

/// The names of a region's nodes in traces and pictures: the letters of a sketch, else OSM ids.
struct NodeNames: Sendable {
    /// The letters of a sketch in the order of its node ids, which begin with 1; empty for imported
    /// regions.
    private let letters: [Character]

    init(_ region: RoutingRegion) { self.init(letters: region.metadata[RegionMetadata.letters] ?? "") }

    init(letters: String) { self.letters = Array(letters) }

    /// The name of an id. The copies of a node at an obstacle have its letter with a prime for each.
    func value(_ id: Int) -> Value {
        let original = RegionNetwork.original(Int64(id))
        guard original > 0, original <= letters.count else { return .integer(id) }
        let copies = Int((original - Int64(id)) / RegionNetwork.copyStep)
        return .text(String(letters[Int(original) - 1]) + String(repeating: "'", count: copies))
    }

    /// The id of a name.
    func id(_ name: Value?) -> Int64? {
        switch name {
        case .integer(let id): return Int64(id)
        case .text(let text):
            guard let letter = text.first, let index = letters.firstIndex(of: letter) else { return nil }
            return Int64(index) + 1 - Int64(text.count - 1) * RegionNetwork.copyStep
        default: return nil
        }
    }

    /// Whether nodes have readable names.
    var areLetters: Bool { !letters.isEmpty }
}
