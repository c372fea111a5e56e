import Geodesy

/// Joins connected pieces of streets, rivers and railways of the same name.
enum LineJoiner {
    /// The tags whose open ways are joined.
    static let keys: Set<String> = [
        "highway", "waterway", "railway", "aerialway", "route", "piste:type", "barrier", "power", "natural",
        "",
    ]

    /// The properties that joined pieces share.
    struct Key: Hashable {
        var name: String
        var kind: String
    }

    /// A piece, or several joined ones.
    struct Piece: Sendable {
        var kind: String
        var rank: Int
        var middle: Coordinate
        var count: Int
        var box: BoundingBox
        var otherNames: [String] = []
    }

    /// Maximum gap between pieces of the same name, in degrees: about 500 m.
    private static let gap = 0.005

    /// Joins pieces whose boxes touch; the result is at the middle of its longest piece.
    static func joined(_ pieces: [Piece]) -> [Piece] {
        var result: [Piece] = []
        for piece in pieces {
            var whole = piece
            var longest = piece.count
            // Joining can connect two stretches that were apart.
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
