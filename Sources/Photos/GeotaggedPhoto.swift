import CivilTime
import Core
import Foundation
import Geodesy

extension Photos {
    /// A copy of a photo with a position in its EXIF data. Pixels and all other metadata are unchanged.
    ///
    /// JPEG and PNG only; an existing position is replaced. `time` is written as GPS time (UTC). Throws if
    /// the file is damaged, or its EXIF would be longer than a JPEG can hold.
    public static func geotagged(
        _ data: Data, at coordinate: Coordinate, time: Timestamp? = nil
    ) throws(PhotoError) -> Data {
        let bytes = [UInt8](data)
        guard let kind = PhotoKind(sniffing: bytes) else { throw .notAnImage }
        let fields = PositionFields(coordinate, time: time)
        switch kind {
        case .jpeg:
            return Data(
                try JPEGMetadata.replacing(bytes) { old throws(PhotoError) in try fields.added(to: old) })
        case .png:
            return Data(
                try PNGMetadata.replacing(bytes) { old throws(PhotoError) in try fields.added(to: old) })
        case .heic: throw .unsupported("writing a position into HEIC")
        }
    }
}

/// The GPS fields of EXIF 2.32 (CIPA DC-008, 4.6.6) for a position.
private struct PositionFields {
    /// Latitude, longitude and the like by their tags, as values in big-endian bytes.
    private var fields: [(tag: UInt16, type: UInt16, count: UInt32, units: [[UInt32]])] = []
    private static let (byte, ascii, rational): (UInt16, UInt16, UInt16) = (1, 2, 5)
    private static let pointerTag: UInt16 = 0x8825

    init(_ coordinate: Coordinate, time: Timestamp?) {
        add(0, Self.byte, [2, 3, 0, 0])
        add(1, text: coordinate.latitude < 0 ? "S" : "N")
        add(2, rationals: Self.angle(coordinate.latitude))
        add(3, text: coordinate.longitude < 0 ? "W" : "E")
        add(4, rationals: Self.angle(coordinate.longitude))
        if let altitude = coordinate.altitude, altitude.isFinite, abs(altitude) < 100_000 {
            add(5, Self.byte, [altitude < 0 ? 1 : 0])
            add(6, rationals: [(abs(altitude) * 1000, 1000)])
        }
        if let time {
            let utc = time.civil()
            let seconds = Double(utc.millisecondsOfDay) / 1000
            let minutes = (seconds / 60).rounded(.down)
            add(
                7,
                rationals: [
                    ((minutes / 60).rounded(.down), 1), (minutes.truncatingRemainder(dividingBy: 60), 1),
                    ((seconds - minutes * 60) * 1000, 1000),
                ])
            add(0x12, text: "WGS-84")
            add(0x1D, text: utc.date.text.replacing("-", with: ":"))
        } else {
            add(0x12, text: "WGS-84")
        }
    }

    /// Degrees, minutes, and seconds to a millionth: 0.03 mm.
    private static func angle(_ degrees: Double) -> [(Double, Double)] {
        let millionths = (abs(degrees) * 3600e6).rounded()
        let whole = (millionths / 3600e6).rounded(.down)
        let minutes = ((millionths - whole * 3600e6) / 60e6).rounded(.down)
        return [(whole, 1), (minutes, 1), (millionths - whole * 3600e6 - minutes * 60e6, 1e6)]
    }

    private mutating func add(_ tag: UInt16, _ type: UInt16, _ bytes: [UInt8]) {
        fields.append((tag, type, UInt32(bytes.count), bytes.map { [UInt32($0)] }))
    }

    private mutating func add(_ tag: UInt16, text: String) { add(tag, Self.ascii, Array(text.utf8) + [0]) }

    private mutating func add(_ tag: UInt16, rationals: [(Double, Double)]) {
        fields.append(
            (
                tag, Self.rational, UInt32(rationals.count),
                rationals.map { [UInt32($0.0.rounded()), UInt32($0.1)] }
            ))
    }

    /// An EXIF block from its TIFF header on, with these fields. Existing data is not moved, because camera
    /// makers refer to it by offset; the first directory is rewritten at the end, with the pointer to the GPS
    /// one.
    func added(to old: [UInt8]?) throws(PhotoError) -> [UInt8] {
        var block = TIFFBlock(old ?? Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0])
        guard let block = Self.merge(self, &block) else { throw .corrupt("its EXIF block is damaged") }
        return block
    }

    private static func merge(_ position: PositionFields, _ block: inout TIFFBlock) -> [UInt8]? {
        guard block.isSound, var first = block.directory(at: Int(block.number(4, at: 4) ?? 0)) else {
            return nil
        }
        // Other fields, such as the direction of view, are kept.
        let known = Set(position.fields.map(\.tag)).union([5, 6, 7, 0x1D])
        var entries: [TIFFBlock.Entry] = []
        if let pointer = first.entries.first(where: { $0.tag == pointerTag }) {
            guard let place = block.value(of: pointer), let gps = block.directory(at: place) else {
                return nil
            }
            entries = gps.entries.filter { !known.contains($0.tag) }
        }
        for field in position.fields {
            let size = field.type == rational ? 4 : 1
            let bytes = field.units.joined().flatMap { block.bytes(of: $0, size: size) }
            entries.append(block.entry(field.tag, field.type, field.count, bytes))
        }
        let gps = block.append(.init(entries: entries, next: [0, 0, 0, 0]))
        first.entries.removeAll { $0.tag == pointerTag }
        first.entries.append(block.entry(pointerTag, 4, 1, block.bytes(of: UInt32(gps), size: 4)))
        let start = block.append(first)
        block.set(UInt32(start), at: 4)
        return block.content
    }
}

/// An EXIF block, in the layout of TIFF 6.0.
private struct TIFFBlock {
    /// A field: 2 bytes tag, 2 type, 4 count, 4 value or offset.
    struct Entry {
        var tag: UInt16
        var bytes: [UInt8]
    }

    struct Directory {
        var entries: [Entry]
        /// The offset of the next directory, as written.
        var next: [UInt8]
    }

    private(set) var content: [UInt8]
    private let isLittle: Bool

    init(_ content: [UInt8]) {
        self.content = content
        isLittle = content.first == UInt8(ascii: "I")
    }

    var isSound: Bool {
        content.count >= 8 && content[0] == content[1] && (isLittle || content[0] == UInt8(ascii: "M"))
            && number(2, at: 2) == 42
    }

    func number(_ size: Int, at place: Int) -> UInt32? {
        guard place >= 0, place + size <= content.count else { return nil }
        let part = content[place..<place + size]
        return (isLittle ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | UInt32($1) }
    }

    func bytes(of number: UInt32, size: Int) -> [UInt8] {
        let big = (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32(size - 1 - $0))) }
        return isLittle ? big.reversed() : big
    }

    func directory(at place: Int) -> Directory? {
        guard place >= 8, let count = number(2, at: place) else { return nil }
        let end = place + 2 + Int(count) * 12
        guard end <= content.count else { return nil }
        let entries = (0..<Int(count)).compactMap { index -> Entry? in
            let start = place + 2 + index * 12
            return number(2, at: start).map {
                Entry(tag: UInt16($0), bytes: Array(content[start..<start + 12]))
            }
        }
        // Some writers omit the pointer to the next directory.
        let next = end + 4 <= content.count ? Array(content[end..<end + 4]) : [0, 0, 0, 0]
        return Directory(entries: entries, next: next)
    }

    /// The value of a field that holds one offset.
    func value(of entry: Entry) -> Int? {
        let part = isLittle ? entry.bytes[8...].reversed() : Array(entry.bytes[8...])
        return part.reduce(0) { $0 << 8 | Int($1) }
    }

    /// A field; a value of more than four bytes is added at the end of the block.
    mutating func entry(_ tag: UInt16, _ type: UInt16, _ count: UInt32, _ value: [UInt8]) -> Entry {
        var inline = value + [UInt8](repeating: 0, count: max(0, 4 - value.count))
        if value.count > 4 {
            align()
            inline = bytes(of: UInt32(content.count), size: 4)
            content += value
        }
        let head =
            bytes(of: UInt32(tag), size: 2) + bytes(of: UInt32(type), size: 2) + bytes(of: count, size: 4)
        return Entry(tag: tag, bytes: head + inline)
    }

    /// Adds a directory at the end; returns its offset.
    mutating func append(_ directory: Directory) -> Int {
        align()
        let place = content.count
        content += bytes(of: UInt32(directory.entries.count), size: 2)
        for entry in directory.entries.sorted(by: { $0.tag < $1.tag }) { content += entry.bytes }
        content += directory.next
        return place
    }

    mutating func set(_ number: UInt32, at place: Int) {
        content.replaceSubrange(place..<place + 4, with: bytes(of: number, size: 4))
    }

    private mutating func align() {
        if content.count % 2 == 1 { content.append(0) }
    }
}

/// The EXIF segment of a JPEG.
private enum JPEGMetadata {
    private static let prefix: [UInt8] = Array("Exif\0\0".utf8)

    static func replacing(
        _ bytes: [UInt8], _ change: ([UInt8]?) throws(PhotoError) -> [UInt8]
    ) throws(PhotoError) -> [UInt8] {
        var position = 2
        // After the JFIF header, which is the first segment if there is one.
        var start = 2
        var old: Range<Int>?
        while position + 4 <= bytes.count, bytes[position] == 0xFF, bytes[position + 1] != 0xDA {
            if bytes[position + 1] == 0xFF {
                position += 1
                continue
            }
            let end = position + 2 + (Int(bytes[position + 2]) << 8 | Int(bytes[position + 3]))
            guard end >= position + 4, end <= bytes.count else { throw .truncated }
            if bytes[position + 1] == 0xE0, position == 2 { start = end }
            if bytes[position + 1] == 0xE1, bytes[position + 4..<end].starts(with: prefix) {
                old = position..<end
                break
            }
            position = end
        }
        let block = try change(old.map { Array(bytes[$0].dropFirst(4 + prefix.count)) })
        let length = 2 + prefix.count + block.count
        guard length <= 0xFFFF else { throw .unsupported("EXIF data of more than 64 KB") }
        let segment = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + prefix + block
        var result = bytes
        result.replaceSubrange(old ?? start..<start, with: segment)
        return result
    }
}

/// The `eXIf` chunk of a PNG.
private enum PNGMetadata {
    static func replacing(
        _ bytes: [UInt8], _ change: ([UInt8]?) throws(PhotoError) -> [UInt8]
    ) throws(PhotoError) -> [UInt8] {
        func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        var position = PNGFile.signature.count
        var place: Range<Int>?
        var old: [UInt8]?
        while position + 12 <= bytes.count {
            let end = position + 12 + number(position)
            guard end <= bytes.count else { throw .truncated }
            let name = bytes[position + 4..<position + 8]
            // After the header, or in place of the old one.
            if place == nil { place = end..<end }
            if name.elementsEqual("eXIf".utf8) {
                place = position..<end
                old = Array(bytes[position + 8..<end - 4])
                break
            }
            position = end
        }
        guard let place else { throw .truncated }
        let content = Array("eXIf".utf8) + (try change(old))
        func four(_ number: UInt32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
        }
        var result = bytes
        result.replaceSubrange(
            place, with: four(UInt32(content.count - 4)) + content + four(CRC32.of(content)))
        return result
    }
}
