import CivilTime
import Foundation

/// The time in a photo's XMP packet (ISO 16684-1), which editors and some phones write instead of EXIF.
enum XMPTime {
    /// Properties with the time of the picture, best first.
    private static let properties = ["exif:DateTimeOriginal", "photoshop:DateCreated", "xmp:CreateDate"]
    /// The local time as EXIF writes it, and the offset if there is one; `nil` without a valid time.
    static func read(_ packet: XMPPacket) -> (taken: String, offset: String?)? {
        for property in properties {
            if let text = packet.value(of: property), let time = exif(text) { return time }
        }
        return nil
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
