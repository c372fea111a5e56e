/// A screen colour, eight bits per channel.
public struct Color: Sendable, Hashable {
    /// Red, 0…255.
    public var red: UInt8
    /// Green, 0…255.
    public var green: UInt8
    /// Blue, 0…255.
    public var blue: UInt8

    /// Makes a colour from its channels.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Makes a colour from a number such as `0x4A90D9`.
    public init(_ rgb: UInt32) {
        self.init(red: UInt8(rgb >> 16 & 0xFF), green: UInt8(rgb >> 8 & 0xFF), blue: UInt8(rgb & 0xFF))
    }

    /// Makes a colour from six hexadecimal digits, with or without a leading `#`; `nil` for anything else.
    public init?(hex: String) {
        let digits = hex.hasPrefix("#") ? hex.dropFirst() : hex[...]
        let isHex = digits.utf8.count == 6 && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
        guard isHex, let rgb = UInt32(digits, radix: 16) else { return nil }
        self.init(rgb)
    }

    /// Six upper-case hexadecimal digits, without `#`.
    public var hex: String {
        let rgb = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
        let digits = String(rgb, radix: 16, uppercase: true)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// Perceived brightness, 0…1 (ITU-R BT.709 weights on the stored values).
    public var luminance: Double {
        (0.2126 * Double(red) + 0.7152 * Double(green) + 0.0722 * Double(blue)) / 255
    }

    /// White.
    public static let white = Color(0xFFFFFF)
    /// Black.
    public static let black = Color(0x000000)
    /// The colour of text: nearly black.
    public static let ink = Color(0x2B2F36)
    /// The colour of secondary text.
    public static let faint = Color(0x6B7280)
}
