import CPhoto
import Core
import Foundation

/// Reads and writes JPEG files through libjpeg-turbo.
package enum JPEGFile {
    /// Width and height from the header.
    static func size(_ bytes: [UInt8]) throws(PhotoError) -> (width: Int, height: Int) {
        var size = cphoto_size()
        try run { cphoto_jpeg_size(bytes, bytes.count, &size, &$0) }
        return (Int(size.width), Int(size.height))
    }

    /// The picture, shrunk by 1, 2, 4 or 8 while decoding.
    package static func decode(_ bytes: [UInt8], shrink: Int) throws(PhotoError) -> Bitmap {
        let full = try size(bytes)
        try PhotoLimits.check(width: full.width, height: full.height)
        let width = Int(cphoto_shrunk(UInt32(full.width), Int32(shrink)))
        let height = Int(cphoto_shrunk(UInt32(full.height), Int32(shrink)))
        let limits = cphoto_limits(
            max_memory: PhotoSettings.decoderMemory, max_scans: PhotoLimits.scans(full.width * full.height))
        let capacity = width * height * 3
        var problem = cphoto_problem()
        var status = CPHOTO_OK
        let pixels = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            status = cphoto_jpeg_decode(
                bytes, bytes.count, Int32(shrink), limits, buffer.baseAddress, capacity, &problem)
            count = status == CPHOTO_OK ? capacity : 0
        }
        if let error = error(status, problem) { throw error }
        guard let bitmap = Bitmap(width: width, height: height, pixels: pixels) else {
            throw .corrupt("no pixels")
        }
        return bitmap
    }

    /// The ICC profile of a colour photo.
    static func profile(_ bytes: [UInt8]) throws(PhotoError) -> [UInt8] {
        var memory: UnsafeMutablePointer<UInt8>?
        var count = 0
        try run { cphoto_jpeg_profile(bytes, bytes.count, &memory, &count, &$0) }
        guard let memory else { return [] }
        defer { cphoto_free(memory) }
        return Array(UnsafeBufferPointer(start: memory, count: count))
    }

    /// A baseline JPEG of the picture, turned upright, without any metadata but the colour profile.
    package static func encode(
        _ bitmap: Bitmap, orientation: Orientation, quality: Double, profile: [UInt8] = []
    ) throws(PhotoError) -> Data {
        let percent = Int32(max(1, min(100, (quality * 100).rounded())))
        try checkLibrary()
        var memory: UnsafeMutablePointer<UInt8>?
        var count = 0
        var problem = cphoto_problem()
        let status = bitmap.pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return CPHOTO_CORRUPT }
            let walk = orientation.walk(over: bitmap, from: base)
            return profile.withUnsafeBufferPointer { icc in
                cphoto_jpeg_encode(walk, percent, icc.baseAddress, icc.count, &memory, &count, &problem)
            }
        }
        if let error = error(status, problem) { throw error }
        guard let memory else { throw .corrupt("nothing was written") }
        defer { cphoto_free(memory) }
        return Data(bytes: memory, count: count)
    }

    private static func checkLibrary() throws(PhotoError) {
        if cphoto_is_there() == 0 { throw .unsupported("libjpeg or libexif is not installed") }
    }

    private static func run(_ work: (inout cphoto_problem) -> cphoto_status) throws(PhotoError) {
        try checkLibrary()
        var problem = cphoto_problem()
        let status = work(&problem)
        if let error = error(status, problem) { throw error }
    }

    private static func error(_ status: cphoto_status, _ problem: cphoto_problem) -> PhotoError? {
        let words = String(cArray: problem.message)
        switch status {
        case CPHOTO_OK: return nil
        case CPHOTO_NOT_AN_IMAGE: return .notAnImage
        case CPHOTO_TRUNCATED: return .truncated
        case CPHOTO_UNSUPPORTED: return .unsupported(words)
        case CPHOTO_OUT_OF_MEMORY: return .outOfMemory
        default: return .corrupt(words)
        }
    }
}

/// Rejects pictures by their header, before anything is allocated.
enum PhotoLimits {
    /// The maximum number of scans of a progressive photo with a number of pixels.
    static func scans(_ pixels: Int) -> Int32 {
        let affordable = PhotoSettings.maximumScannedPixels / max(1, pixels)
        return Int32(max(PhotoSettings.leastScans, min(PhotoSettings.maximumScans, affordable)))
    }

    static func check(width: Int, height: Int) throws(PhotoError) {
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, pixels <= PhotoSettings.maximumPixels else {
            throw .tooLarge(pixels: overflow ? .max : pixels)
        }
        guard width > 0, height > 0 else { throw .corrupt("no pixels") }
    }
}
