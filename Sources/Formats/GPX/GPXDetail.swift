/// A detail about the receiver or surroundings of a point. It is not used, only stored for lossless output.
public struct GPXDetail: Sendable, Hashable {
    /// The elements in schema order, then those of the Garmin TrackPointExtension in its order.
    public enum Kind: String, Sendable, CaseIterable {
        /// Magnetic variation in degrees, 0 to below 360.
        case magvar
        /// Height of the geoid above the ellipsoid in metres.
        case geoidheight
        /// The source device.
        case src
        /// `none`, `2d`, `3d`, `dgps` or `pps`.
        case fix
        /// Number of satellites.
        case sat
        /// Horizontal dilution of precision.
        case hdop
        /// Vertical dilution of precision.
        case vdop
        /// Position dilution of precision.
        case pdop
        /// Seconds since the last correction.
        case ageofdgpsdata
        /// The station of the corrections, 0 to 1023.
        case dgpsid
        /// Water temperature in degrees Celsius.
        case wtemp
        /// Depth below the water surface in metres.
        case depth
    }

    /// The kind.
    public let kind: Kind
    /// Its value as written in the file.
    public let text: String

    /// A detail; `nil` if the schema does not allow the value.
    public init?(_ kind: Kind, _ text: String) {
        guard kind.allows(text) else { return nil }
        self.kind = kind
        self.text = text
    }
}

extension GPXDetail.Kind {
    private static let fixes: Set = ["none", "2d", "3d", "dgps", "pps"]
    private static let stations = 0...1023

    /// Whether it belongs to the TrackPointExtension.
    var isExtension: Bool {
        switch self {
        case .wtemp, .depth: true
        default: false
        }
    }

    fileprivate func allows(_ text: String) -> Bool {
        switch self {
        case .src: !text.isEmpty
        case .fix: Self.fixes.contains(text)
        case .sat: Self.isDecimal(text) && Int(text).map { $0 >= 0 } == true
        case .dgpsid: Self.isDecimal(text) && Int(text).map(Self.stations.contains) == true
        case .magvar: Self.isDecimal(text) && Double(text).map { $0 >= 0 && $0 < 360 } == true
        case .geoidheight, .hdop, .vdop, .pdop, .ageofdgpsdata, .wtemp, .depth: Self.isDecimal(text)
        }
    }

    /// Whether a text is an XML Schema decimal, which has no exponent.
    static func isDecimal(_ text: String) -> Bool {
        var digits = text.utf8[...]
        if let sign = digits.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            digits = digits.dropFirst()
        }
        let parts = digits.split(
            separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        return parts.contains { !$0.isEmpty }
            && parts.allSatisfy { $0.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
    }
}
