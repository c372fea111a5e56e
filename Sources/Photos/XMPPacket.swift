import Foundation

/// A photo's XMP packet (ISO 16684-1), which editors and some phones write instead of EXIF.
struct XMPPacket {
    private let text: String
    /// Bytes at the start of a file in which the packet is looked for.
    private static let searched = 1 << 20
    private static let longest = 64

    /// The packet of a file; `nil` if it has none.
    init?(_ bytes: [UInt8]) {
        let data = Data(bytes.prefix(Self.searched))
        guard let start = data.range(of: Data("<x:xmpmeta".utf8)),
            let end = data.range(of: Data("</x:xmpmeta".utf8), in: start.upperBound..<data.endIndex)
        else { return nil }
        text = String(decoding: data[start.lowerBound..<end.lowerBound], as: UTF8.self)
    }

    /// The value of an attribute or element.
    func value(of property: String) -> Substring? {
        guard let name = text.firstRange(of: property) else { return nil }
        let rest = text[name.upperBound...].drop { $0 == "=" || $0 == "\"" || $0 == "'" || $0 == ">" }
        return rest.prefix { $0 != "\"" && $0 != "'" && $0 != "<" }.prefix(Self.longest)
    }
}
