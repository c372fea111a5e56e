import Foundation

/// Places in the letters of short links, which need no server to be read.
enum ShortMapLink {
    /// Letters of six bits. Old links of OpenStreetMap have `@` for `~`.
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    private static let ofOpenStreetMap = letters + ["_", "~"]
    private static let ofGe0 = letters + ["-", "_"]
    /// Bits of an angle in a link of either kind.
    private static let bits = (openStreetMap: 32, ge0: 30)

    /// `osm.org/go/0GAjIv8h`: the middle of a view, with the parameter `m` of a mark.
    ///
    /// Source: OpenStreetMap wiki, "Shortlink".
    static func openStreetMap(_ code: Substring) -> Coordinate? {
        let plain = code.replacing("@", with: "~").prefix { $0 != "-" }
        guard let angles = angles(plain, ofOpenStreetMap, bits: bits.openStreetMap) else { return nil }
        return Coordinate(latitude: angles.even * 180 - 90, longitude: angles.odd * 360 - 180)
    }

    /// `omaps.app/0pEr3T4p0T/Name`, also `om://` and `ge0://`: a letter for the scale and nine for the place.
    ///
    /// Source: Organic Maps, "ge0".
    static func ge0(_ code: Substring) -> Coordinate? {
        guard code.count == 10, let angles = angles(code.dropFirst(), ofGe0, bits: bits.ge0) else {
            return nil
        }
        // The highest latitude is the last number, so that the numbers are divided by one less.
        let size = Double(1 << bits.ge0)
        return Coordinate(
            latitude: min(90, angles.odd * size / (size - 1) * 180 - 90),
            longitude: angles.even * 360 - 180)
    }

    /// The middles of the two angles whose bits take turns, as shares of their ranges: that of the first, third, … bit is `odd`.
    private static func angles(
        _ code: Substring, _ alphabet: [Character], bits: Int
    ) -> (odd: Double, even: Double)? {
        var (odd, even) = (0, 0)
        let known = code.prefix((bits + 2) / 3)
        guard !known.isEmpty else { return nil }
        for letter in known {
            guard let value = alphabet.firstIndex(of: letter) else { return nil }
            for bit in stride(from: 5, to: 0, by: -2) {
                odd = odd << 1 | value >> bit & 1
                even = even << 1 | value >> (bit - 1) & 1
            }
        }
        let size = Double(1 << (3 * known.count))
        return ((Double(odd) + 0.5) / size, (Double(even) + 0.5) / size)
    }
}
