import Geodesy

/// The position in a photo's XMP packet: `exif:GPSLatitude` and `exif:GPSLongitude`, such as `46,30.27N` or `46,30,16.2N` (Exif for
/// XMP, CIPA DC-010-2020).
enum XMPPosition {
    /// The coordinate; `nil` without two valid angles, at 0,0, which stands for no fix, and where the receiver says that it had none.
    static func read(_ packet: XMPPacket) -> Coordinate? {
        guard packet.value(of: "exif:GPSStatus") != "V" else { return nil }
        guard let latitude = packet.value(of: "exif:GPSLatitude").flatMap({ angle($0, "N", "S", limit: 90) }),
            let longitude = packet.value(of: "exif:GPSLongitude").flatMap({ angle($0, "E", "W", limit: 180) }
            ),
            latitude != 0 || longitude != 0
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    private static func angle(_ text: Substring, _ positive: Character, _ negative: Character, limit: Double)
        -> Double?
    {
        guard let letter = text.last, letter == positive || letter == negative else { return nil }
        let parts = text.dropLast().split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard (2...3).contains(parts.count), !parts.contains(nil) else { return nil }
        let numbers = parts.compactMap(\.self)
        guard numbers.allSatisfy({ $0 >= 0 && $0.isFinite }), numbers.dropFirst().allSatisfy({ $0 <= 60 })
        else { return nil }
        let angle = zip(numbers, [1.0, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
        guard angle <= limit else { return nil }
        return letter == negative ? -angle : angle
    }
}
