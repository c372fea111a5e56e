import CPhoto
import Core
import Geodesy

/// A photo's metadata, read without decoding it.
public struct PhotoInfo: Sendable, Hashable {
    /// JPEG, PNG or HEIC.
    public var kind: PhotoKind
    /// Pixels across, as stored.
    public var width: Int
    /// Pixels down, as stored.
    public var height: Int
    /// The orientation; `topLeft` if unknown.
    public var orientation: Orientation
    /// Where it was taken, with the altitude if known.
    public var coordinate: Coordinate?
    /// Why there is no coordinate although a position is written; `nil` if there is one, or nothing is written.
    public var positionFault: PositionFault?
    /// When it was taken, as the camera wrote it: `2026:02:06 08:15:30`, in the zone of `takenOffset`.
    public var taken: String?
    /// The offset of that time from UTC, such as `+01:00`; `nil` where the camera did not write it.
    public var takenOffset: String?
    /// When its file was last changed, in the format of `taken`, and the offset of that from UTC.
    public var changed: String?
    /// The offset of `changed` from UTC.
    public var changedOffset: String?
    /// The time of the receiver's fix in UTC, in the format of `taken`.
    var gpsTime: String?
    /// Maker of the camera.
    public var cameraMake: String?
    /// Model of the camera.
    public var cameraModel: String?

    /// Why a written position is none.
    public enum PositionFault: Sendable, Hashable {
        /// Its numbers make no position.
        case unreadable
        /// The receiver marked it as without a fix.
        case void
        /// Zeros, as of a camera without a fix.
        case zero
    }

    /// Pixels across when upright.
    var uprightWidth: Int { orientation.isTransposed ? height : width }
    /// Pixels down when upright.
    var uprightHeight: Int { orientation.isTransposed ? width : height }
}

/// Reads EXIF through libexif.
enum ExifBlock {
    private static let prefix: [UInt8] = Array("Exif\0\0".utf8)
    /// A block cannot be longer in a JPEG; in a PNG a longer one is rejected.
    private static let maximumLength = 0xFFFF

    /// The values of a file's EXIF block; zeros when there is none.
    static func read(_ bytes: [UInt8], kind: PhotoKind) -> cphoto_exif {
        kind == .jpeg ? read(jpegBlock(bytes)) : read(tiff: PNGFile.exif(bytes) ?? [])
    }

    /// The values of a block from its TIFF header on, as PNG and HEIC hold it.
    static func read(tiff block: [UInt8]) -> cphoto_exif { read(prefix + block) }

    private static func read(_ block: [UInt8]?) -> cphoto_exif {
        var result = cphoto_exif()
        guard let block, block.count <= maximumLength, cphoto_is_there() != 0 else { return result }
        _ = cphoto_read_exif(block, UInt32(block.count), &result)
        return result
    }

    /// The first APP1 segment that holds EXIF, before the picture begins.
    private static func jpegBlock(_ bytes: [UInt8]) -> [UInt8]? {
        var position = 2
        while position + 4 <= bytes.count, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            if marker == 0xFF {
                position += 1
                continue
            }
            if marker == 0xDA || marker == 0xD9 { return nil }
            let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
            let end = position + 2 + length
            guard length >= 2, end <= bytes.count else { return nil }
            let content = bytes[position + 4..<end]
            if marker == 0xE1, content.starts(with: prefix) { return Array(content) }
            position = end
        }
        return nil
    }
}

extension PhotoInfo {
    init(kind: PhotoKind, width: Int, height: Int, exif: cphoto_exif) {
        self.init(
            kind: kind, width: width, height: height,
            orientation: Orientation(rawValue: Int(exif.orientation)) ?? .topLeft,
            coordinate: exif.has_position == 0
                ? nil
                : Coordinate(
                    latitude: exif.latitude, longitude: exif.longitude,
                    altitude: exif.has_altitude == 0 ? nil : exif.altitude),
            positionFault: exif.has_position != 0
                ? nil
                : exif.position_is_void != 0
                    ? .void
                    : exif.position_is_unreadable != 0
                        ? .unreadable : exif.position_is_zero != 0 ? .zero : nil,
            taken: Self.text(exif.taken), takenOffset: Self.text(exif.offset),
            changed: Self.text(exif.changed), changedOffset: Self.text(exif.changed_offset),
            gpsTime: Self.text(exif.gps_time),
            cameraMake: Self.text(exif.make), cameraModel: Self.text(exif.model)
        )
    }

    private static func text<Tuple>(_ characters: Tuple) -> String? {
        let whole = String(cArray: characters)
        let words = whole.trimmingSuffix(while: \.isWhitespace)
        return words.isEmpty ? nil : String(words)
    }
}
