import Geodesy

/// Joins the pieces of streets, rivers and railways of one name that hang together.
enum LineJoiner {
    /// The tags whose open ways are joined.
    static let keys: Set<String> = [
        "highway", "waterway", "railway", "aerialway", "route", "piste:type", "barrier", "power", "natural",
        "",
    ]

    /// What pieces must have in common.
    struct Key: Hashable {
        var name: String
        var kind: String
    }

    /// A piece, or several joined.
    struct Piece: Sendable {
        var kind: String
        var rank: Int
        var middle: Coordinate
        var count: Int
        var box: BoundingBox
        var otherNames: [String] = []
    }

    /// Pieces of the same name that are no farther from each other than this many degrees are one: about 500 m.
    private static let gap = 0.005

    /// Pieces whose boxes touch become one, at the middle of its longest piece.
    static func joined(_ pieces: [Piece]) -> [Piece] {
        var result: [Piece] = []
        for piece in pieces {
            var whole = piece
            var longest = piece.count
            // Joining can bring two stretches together that were apart.
            while let index = result.firstIndex(where: { touch($0.box, whole.box) }) {
                let other = result.remove(at: index)
                if other.count >= longest {
                    longest = other.count
                    (whole.middle, whole.kind, whole.rank) = (other.middle, other.kind, other.rank)
                }
                whole.count = longest
                let known = Set(other.otherNames)
                whole.otherNames = other.otherNames + whole.otherNames.filter { !known.contains($0) }
                whole.box = BoundingBox(
                    south: min(whole.box.south, other.box.south), west: min(whole.box.west, other.box.west),
                    north: max(whole.box.north, other.box.north), east: max(whole.box.east, other.box.east))
            }
            result.append(whole)
        }
        return result
    }

    private static func touch(_ a: BoundingBox, _ b: BoundingBox) -> Bool {
        a.south - gap <= b.north && b.south - gap <= a.north && a.west - gap <= b.east
            && b.west - gap <= a.east
    }
}
