/// Geohash: a cell of the world in letters (Niemeyer 2008). It is read only where a text must be a coordinate, since words can
/// look like it.
public enum Geohash {
    private static let letters = Array("0123456789bcdefghjkmnpqrstuvwxyz")
    private static let lengths = 1...12
    /// The length that is written: a cell of about five metres.
    private static let written = 9

    /// The centre of a cell; `nil` for anything else.
    public static func decode(_ text: String) -> Coordinate? {
        let digits = text.lowercased().map { letters.firstIndex(of: $0) }
        guard lengths.contains(text.count) else { return nil }
        var (south, north, west, east) = (-90.0, 90.0, -180.0, 180.0)
        var isLongitude = true
        for digit in digits {
            guard let digit else { return nil }
            for bit in (0..<5).reversed() {
                let isUpper = digit >> bit & 1 == 1
                if isLongitude {
                    if isUpper { west = (west + east) / 2 } else { east = (west + east) / 2 }
                } else {
                    if isUpper { south = (south + north) / 2 } else { north = (south + north) / 2 }
                }
                isLongitude.toggle()
            }
        }
        return Coordinate(latitude: (south + north) / 2, longitude: (west + east) / 2)
    }

    /// The cell around a coordinate.
    static func encode(_ coordinate: Coordinate) -> String {
        var (south, north, west, east) = (-90.0, 90.0, -180.0, 180.0)
        var isLongitude = true
        var text = ""
        for _ in 0..<written {
            var digit = 0
            for _ in 0..<5 {
                digit <<= 1
                if isLongitude {
                    let middle = (west + east) / 2
                    if coordinate.longitude >= middle {
                        (digit, west) = (digit | 1, middle)
                    } else {
                        east = middle
                    }
                } else {
                    let middle = (south + north) / 2
                    if coordinate.latitude >= middle {
                        (digit, south) = (digit | 1, middle)
                    } else {
                        north = middle
                    }
                }
                isLongitude.toggle()
            }
            text.append(letters[digit])
        }
        return text
    }
}
