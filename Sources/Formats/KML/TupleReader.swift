import Geodesy

/// Parses a list of `longitude,latitude[,altitude]` in pieces. A blank after a comma does not end a coordinate: many files have it.
struct TupleReader {
    private var rest: [UInt8] = []
    /// Whether a blank followed the coordinate so far.
    private var isPaused = false

    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, _ add: (String) throws -> Void) throws {
        let comma = UInt8(ascii: ",")
        for byte in bytes {
            guard byte > 32 else {
                isPaused = true
                continue
            }
            if isPaused, byte != comma, rest.last != comma { try finish(add) }
            isPaused = false
            rest.append(byte)
            guard rest.count <= MapSettings.longestTuple else {
                throw KMLErrors.hostile("a coordinate is longer than \(MapSettings.longestTuple) bytes")
            }
        }
    }

    mutating func finish(_ add: (String) throws -> Void) throws {
        guard !rest.isEmpty else { return }
        let text = String(decoding: rest, as: UTF8.self)
        rest.removeAll(keepingCapacity: true)
        try add(text)
    }

    /// The coordinate of two or three numbers; `nil` if they are none. Its longitude may be beyond 180°: of a line, the points beside it
    /// show what that is. An altitude that is no number is unknown.
    static func coordinate(_ parts: [Substring]) -> Coordinate? {
        guard parts.count == 2 || parts.count == 3, let longitude = DecimalBytes.decimal(parts[0]),
            let latitude = DecimalBytes.decimal(parts[1]), abs(latitude) <= 90,
            abs(longitude) < LogSettings.turn
        else { return nil }
        let altitude = parts.count == 3 ? DecimalBytes.decimal(parts[2]) : nil
        return Coordinate(latitude: latitude, longitude: longitude, altitude: altitude)
    }
}
