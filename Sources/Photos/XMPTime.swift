import CivilTime
import Foundation

/// The time in a photo's XMP packet (ISO 16684-1), which editors and some phones write instead of EXIF.
enum XMPTime {
    /// Properties with the time of the picture, best first.
    private static let properties = ["exif:DateTimeOriginal", "photoshop:DateCreated", "xmp:CreateDate"]
    /// Bytes at the start of a file in which the packet is looked for.
    private static let searched = 1 << 20
    private static let longest = 64

    /// The local time as EXIF writes it, and the offset if there is one; `nil` without a valid time.
    static func read(_ bytes: [UInt8]) -> (taken: String, offset: String?)? {
        let data = Data(bytes.prefix(searched))
        guard let start = data.range(of: Data("<x:xmpmeta".utf8)),
            let end = data.range(of: Data("</x:xmpmeta".utf8), in: start.upperBound..<data.endIndex)
        else { return nil }
        let packet = String(decoding: data[start.lowerBound..<end.lowerBound], as: UTF8.self)
        for property in properties {
            if let text = value(of: property, in: packet), let time = exif(text) { return time }
        }
        return nil
    }

    /// The value of an attribute or element.
    private static func value(of property: String, in packet: String) -> Substring? {
        guard let name = packet.firstRange(of: property) else { return nil }
        let rest = packet[name.upperBound...].drop { $0 == "=" || $0 == "\"" || $0 == "'" || $0 == ">" }
        return rest.prefix { $0 != "\"" && $0 != "'" && $0 != "<" }.prefix(longest)
    }

    /// `2026-06-06T10:10:00.25+02:00` as EXIF writes it.
    private static func exif(_ text: Substring) -> (taken: String, offset: String?)? {
        guard text.count >= 19 else { return nil }
        let local = String(text.prefix(19))
        guard ISO8601.timestamp(local + "Z") != nil else { return nil }
        let rest = text.dropFirst(19).drop { $0 == "." || $0.isNumber }
        let offset = rest == "Z" ? "+00:00" : rest.isEmpty ? nil : String(rest)
        let parts = local.split(separator: "T", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        return ("\(parts[0].replacing("-", with: ":")) \(parts[1])", offset)
    }
}
