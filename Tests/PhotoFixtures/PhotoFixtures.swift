import Foundation
import Photos
import Pictures
import PluginTestKit

/// Pictures made for tests.
package enum PhotoFixtures {
    /// Six colours that survive JPEG, by letter.
    package static let colors: [Character: Color] = [
        "A": Color(0xFF0000), "B": Color(0x00FF00), "C": Color(0x0000FF), "D": Color(0xFFFFFF),
        "E": Color(0x000000), "F": Color(0xFFFF00),
    ]
    package static let block = 16

    /// A picture of blocks, a letter each; rows are parted by `/`.
    package static func blocks(_ pattern: String) throws -> Bitmap {
        let rows = pattern.split(separator: "/").map(Array.init)
        let width = (rows.first?.count ?? 0) * block
        var pixels: [UInt8] = []
        for y in 0..<rows.count * block {
            for x in 0..<width {
                let color = colors[rows[y / block][x / block]] ?? .black
                pixels += [color.red, color.green, color.blue]
            }
        }
        guard let bitmap = Bitmap(width: width, height: rows.count * block, pixels: pixels) else {
            throw PhotoError.corrupt("fixture")
        }
        return bitmap
    }

    /// The letters of the nearest colours in the middle of the blocks.
    package static func letters(of bitmap: Bitmap) -> String {
        let rows = (0..<bitmap.height / block).map { row in
            String(
                (0..<bitmap.width / block).map { column in
                    let color = bitmap.color(x: column * block + block / 2, y: row * block + block / 2)
                    return nearest(color ?? .black)
                })
        }
        return rows.joined(separator: "/")
    }

    package static func nearest(_ color: Color) -> Character {
        colors.min { (distance($0.value, color), $0.key) < (distance($1.value, color), $1.key) }?.key ?? "?"
    }

    package static func distance(_ a: Color, _ b: Color) -> Int {
        let channels = [(a.red, b.red), (a.green, b.green), (a.blue, b.blue)]
        return channels.reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
    }

    package static func jpeg(_ bitmap: Bitmap, quality: Double = 0.9) throws -> Data {
        try JPEGFile.encode(bitmap, orientation: .topLeft, quality: quality)
    }

    package static func noise(width: Int, height: Int, seed: UInt64) throws -> Bitmap {
        var numbers = SplitMix(seed: seed)
        let pixels = (0..<width * height * 3).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
        guard let bitmap = Bitmap(width: width, height: height, pixels: pixels) else {
            throw PhotoError.corrupt("fixture")
        }
        return bitmap
    }

    /// A JPEG with a segment put right after its first two bytes.
    package static func inserting(_ segment: [UInt8], into jpeg: Data) -> Data {
        jpeg.prefix(2) + Data(segment) + jpeg.dropFirst(2)
    }
}

/// Builds an EXIF segment byte by byte, big-endian, after the EXIF 2.3 standard.
package struct ExifBuilder {
    package var orientation: UInt16?
    package var taken: String?
    /// The time of the last change.
    package var changed: String?
    /// The type of angles: 5 is unsigned, 10 signed.
    package var angleType: UInt16 = 5
    package var model: String?
    /// Degrees, minutes, seconds (hundredths) and the letter.
    package var latitude: (UInt32, UInt32, UInt32, Character)?
    package var longitude: (UInt32, UInt32, UInt32, Character)?
    /// Tenths of a metre; negative is below the sea.
    package var altitude: Int32?

    /// A block with these fields.
    package init(
        orientation: UInt16? = nil, taken: String? = nil, model: String? = nil,
        latitude: (UInt32, UInt32, UInt32, Character)? = nil,
        longitude: (UInt32, UInt32, UInt32, Character)? = nil, altitude: Int32? = nil
    ) {
        (self.orientation, self.taken, self.model) = (orientation, taken, model)
        (self.latitude, self.longitude, self.altitude) = (latitude, longitude, altitude)
    }

    private struct Entry {
        var tag: UInt16
        var type: UInt16
        var count: UInt32
        var data: [UInt8]
    }

    /// The denominator of seconds of angles.
    package var secondsOver: UInt32 = 100

    /// The APP1 segment with its marker and length.
    package func segment() -> [UInt8] {
        let content = Array("Exif\0\0".utf8) + tiff()
        return [0xFF, 0xE1] + Self.big16(UInt16(content.count + 2)) + content
    }

    /// The TIFF block alone, as PNG holds it.
    package func tiff() -> [UInt8] {
        var main: [Entry] = []
        if let model { main.append(Self.text(0x0110, model)) }
        if let orientation {
            main.append(Entry(tag: 0x0112, type: 3, count: 1, data: Self.big16(orientation) + [0, 0]))
        }
        let exif = taken.map { [Self.text(0x9003, $0)] } ?? []
        let gps = gpsEntries()
        if let changed { main.append(Self.text(0x0132, changed)) }
        // Each pointer is an entry of the main directory, so its size is known before the offsets are.
        let pointers = (exif.isEmpty ? 0 : 1) + (gps.isEmpty ? 0 : 1)
        let mainSize = Self.size(main) + pointers * 12
        if !exif.isEmpty { main.append(Self.pointer(0x8769, 8 + mainSize)) }
        if !gps.isEmpty {
            main.append(Self.pointer(0x8825, 8 + mainSize + (exif.isEmpty ? 0 : Self.size(exif))))
        }
        var bytes: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 8]
        for directory in [main, exif, gps] where !directory.isEmpty {
            bytes += Self.directory(directory, at: bytes.count)
        }
        return bytes
    }

    private func gpsEntries() -> [Entry] {
        var entries: [Entry] = []
        for (tag, angle) in [(UInt16(1), latitude), (3, longitude)] {
            guard let angle else { continue }
            entries.append(Self.text(tag, String(angle.3)))
            let data = [(angle.0, UInt32(1)), (angle.1, 1), (angle.2, secondsOver)].flatMap {
                Self.rational($0.0, $0.1)
            }
            entries.append(Entry(tag: tag + 1, type: angleType, count: 3, data: data))
        }
        if let altitude {
            entries.append(Entry(tag: 5, type: 1, count: 1, data: [altitude < 0 ? 1 : 0, 0, 0, 0]))
            entries.append(Entry(tag: 6, type: 5, count: 1, data: Self.rational(altitude.magnitude, 10)))
        }
        return entries
    }

    private static func text(_ tag: UInt16, _ text: String) -> Entry {
        let bytes = Array(text.utf8) + [0]
        return Entry(
            tag: tag, type: 2, count: UInt32(bytes.count),
            data: bytes + [UInt8](repeating: 0, count: max(0, 4 - bytes.count)))
    }

    private static func pointer(_ tag: UInt16, _ place: Int) -> Entry {
        Entry(tag: tag, type: 4, count: 1, data: big32(UInt32(place)))
    }

    private static func size(_ entries: [Entry]) -> Int {
        6 + entries.reduce(0) { $0 + 12 + ($1.data.count > 4 ? $1.data.count : 0) }
    }

    private static func directory(_ entries: [Entry], at place: Int) -> [UInt8] {
        var head = big16(UInt16(entries.count))
        var tail: [UInt8] = []
        let start = place + 6 + entries.count * 12
        for entry in entries {
            head += big16(entry.tag) + big16(entry.type) + big32(entry.count)
            if entry.data.count > 4 {
                head += big32(UInt32(start + tail.count))
                tail += entry.data
            } else {
                head += entry.data
            }
        }
        return head + [0, 0, 0, 0] + tail
    }

    private static func rational(_ a: UInt32, _ b: UInt32) -> [UInt8] { big32(a) + big32(b) }
    private static func big16(_ n: UInt16) -> [UInt8] { [UInt8(n >> 8), UInt8(n & 0xFF)] }
    private static func big32(_ n: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: n >> $0) }
    }
}
