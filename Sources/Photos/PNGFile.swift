import CCairo

/// Reads PNG files through cairo.
package enum PNGFile {
    /// The bytes that a file begins with.
    package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Width and height from the header.
    static func size(_ bytes: [UInt8]) throws(PhotoError) -> (width: Int, height: Int) {
        guard bytes.starts(with: signature) else { throw .notAnImage }
        guard bytes.count >= 33 else { throw .truncated }
        guard bytes[12..<16].elementsEqual("IHDR".utf8) else { throw .corrupt("no header chunk") }
        return (number(bytes, at: 16), number(bytes, at: 20))
    }

    /// The picture as cairo decodes it, with transparency: a surface of cairo that the caller destroys.
    package static func surface(_ bytes: [UInt8]) throws(PhotoError) -> OpaquePointer {
        let size = try size(bytes)
        try PhotoLimits.check(width: size.width, height: size.height)
        guard max(size.width, size.height) <= PhotoSettings.maximumSide else {
            throw .unsupported("a side of more than \(PhotoSettings.maximumSide) pixels")
        }
        let source = ByteSource(bytes)
        let context = Unmanaged.passUnretained(source).toOpaque()
        let pointer = cairo_image_surface_create_from_png_stream(ByteSource.read, context)
        guard let pointer else { throw .corrupt("unreadable") }
        let status = cairo_surface_status(pointer)
        if status == CAIRO_STATUS_SUCCESS { return pointer }
        cairo_surface_destroy(pointer)
        if source.ranOut { throw .truncated }
        if status == CAIRO_STATUS_NO_MEMORY { throw .outOfMemory }
        throw .corrupt(cairo_status_to_string(status).map { String(cString: $0) } ?? "unknown")
    }

    /// The picture on white.
    package static func decode(_ bytes: [UInt8]) throws(PhotoError) -> Bitmap {
        let surface = try surface(bytes)
        defer { cairo_surface_destroy(surface) }
        guard let bitmap = Flattening.onWhite(surface) else { throw .corrupt("no pixels") }
        return bitmap
    }

    /// The EXIF block of the `eXIf` chunk, if there is one.
    static func exif(_ bytes: [UInt8]) -> [UInt8]? {
        var position = signature.count
        while position + 12 <= bytes.count {
            let length = number(bytes, at: position)
            let name = bytes[position + 4..<position + 8]
            let start = position + 8
            guard length <= bytes.count - start, !name.elementsEqual("IEND".utf8) else { return nil }
            if name.elementsEqual("eXIf".utf8) { return Array(bytes[start..<start + length]) }
            position = start + length + 4
        }
        return nil
    }

    private static func number(_ bytes: [UInt8], at position: Int) -> Int {
        bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}

/// Removes transparency.
enum Flattening {
    /// The picture over white. Cairo's colours are already multiplied by their opacity.
    static func onWhite(_ surface: OpaquePointer) -> Bitmap? {
        let size = (
            cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface)
        )
        guard let opaque = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, size.0, size.1) else {
            return nil
        }
        defer { cairo_surface_destroy(opaque) }
        guard let canvas = cairo_create(opaque) else { return nil }
        defer { cairo_destroy(canvas) }
        cairo_set_source_rgb(canvas, 1, 1, 1)
        cairo_paint(canvas)
        cairo_set_source_surface(canvas, surface, 0, 0)
        cairo_paint(canvas)
        cairo_surface_flush(opaque)
        guard let source = cairo_image_surface_get_data(opaque) else { return nil }
        let (width, height) = (Int(size.0), Int(size.1))
        let stride = Int(cairo_image_surface_get_stride(opaque))
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 3) { target, count in
            for y in 0..<height {
                let row = UnsafeRawPointer(source + y * stride)
                for x in 0..<width {
                    let rgb = row.load(fromByteOffset: x * 4, as: UInt32.self)
                    let index = (y * width + x) * 3
                    target[index] = UInt8(truncatingIfNeeded: rgb >> 16)
                    target[index + 1] = UInt8(truncatingIfNeeded: rgb >> 8)
                    target[index + 2] = UInt8(truncatingIfNeeded: rgb)
                }
            }
            count = width * height * 3
        }
        return Bitmap(width: width, height: height, pixels: pixels)
    }
}

/// Feeds bytes to cairo in chunks.
private final class ByteSource {
    private let bytes: [UInt8]
    private var position = 0
    /// Whether cairo requested more bytes than there are.
    private(set) var ranOut = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    static let read: cairo_read_func_t = { context, target, count in
        guard let context, let target else { return CAIRO_STATUS_READ_ERROR }
        let source = Unmanaged<ByteSource>.fromOpaque(context).takeUnretainedValue()
        return source.copy(Int(count), to: target) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_READ_ERROR
    }

    private func copy(_ count: Int, to target: UnsafeMutablePointer<UInt8>) -> Bool {
        guard position + count <= bytes.count else {
            ranOut = true
            return false
        }
        bytes.withUnsafeBufferPointer { source in
            guard let base = source.baseAddress else { return }
            target.update(from: base + position, count: count)
        }
        position += count
        return true
    }
}
