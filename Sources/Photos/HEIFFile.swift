import CHeif
import Core

/// Reads HEIC photos through libheif (ISO/IEC 23008-12). The file's own turns and crops are applied, so a picture is
/// always upright: the EXIF orientation must be ignored.
package enum HEIFFile {
    /// The headers of a file.
    package struct Header {
        var width: Int
        var height: Int
        /// EXIF from its TIFF header on; may be empty.
        var exif: [UInt8]
        /// The ICC profile; may be empty.
        var profile: [UInt8]
    }

    /// The brands of still pictures that are read, after `ftyp`.
    static let brands = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]

    static func isHEIF(_ bytes: some Collection<UInt8>) -> Bool {
        let head = Array(bytes.prefix(12))
        guard head.count == 12, head[4..<8].elementsEqual("ftyp".utf8) else { return false }
        return brands.contains { head[8..<12].elementsEqual($0.utf8) }
    }

    private static let limits = cheif_limits(
        memory: UInt64(PhotoSettings.decoderMemory), metadata: 4 << 20,
        pixels: UInt64(PhotoSettings.maximumPixels))

    static func header(_ bytes: [UInt8]) throws(PhotoError) -> Header {
        try checkLibrary()
        var photo = cheif_read(bytes, bytes.count, limits)
        defer { cheif_free(&photo) }
        if let error = error(photo) { throw error }
        return Header(
            width: Int(photo.width), height: Int(photo.height),
            exif: Array(UnsafeBufferPointer(start: photo.exif, count: photo.exif_count)),
            profile: Array(UnsafeBufferPointer(start: photo.profile, count: photo.profile_count)))
    }

    /// The picture, upright, on white.
    package static func decode(_ bytes: [UInt8], _ known: Header? = nil) throws(PhotoError) -> Bitmap {
        let header = if let known { known } else { try header(bytes) }
        try PhotoLimits.check(width: header.width, height: header.height)
        let capacity = header.width * header.height * 3
        var photo = cheif_photo()
        let pixels = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            photo = cheif_decode(bytes, bytes.count, limits, buffer.baseAddress, capacity)
            count = photo.status == CHEIF_OK ? capacity : 0
        }
        defer { cheif_free(&photo) }
        if let error = error(photo) { throw error }
        guard let bitmap = Bitmap(width: header.width, height: header.height, pixels: pixels) else {
            throw .corrupt("no pixels")
        }
        return bitmap
    }

    private static func checkLibrary() throws(PhotoError) {
        if cheif_is_there() == 0 { throw .unsupported("HEIC, because libheif is not installed") }
    }

    private static func error(_ photo: cheif_photo) -> PhotoError? {
        let words = String(cArray: photo.message)
        switch photo.status {
        case CHEIF_OK: return nil
        case CHEIF_TRUNCATED: return .truncated
        case CHEIF_UNSUPPORTED: return .unsupported(words)
        case CHEIF_OUT_OF_MEMORY: return .outOfMemory
        case CHEIF_CRASHED: return .corrupt("the decoder failed")
        case CHEIF_SYSTEM: return .unsupported("HEIC, because no process can be started")
        default: return .corrupt(words)
        }
    }
}
