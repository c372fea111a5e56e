import CCairo
import Foundation

/// An image surface that is released with its last reference.
final class CairoSurface {
    let pointer: OpaquePointer

    /// Takes ownership of a surface; throws cairo's error.
    init(owning pointer: OpaquePointer?) throws(PictureError) {
        guard let pointer else { throw .drawing("no surface") }
        self.pointer = pointer
        let status = cairo_surface_status(pointer)
        guard status == CAIRO_STATUS_SUCCESS else { throw .drawing(CairoSurface.words(status)) }
    }

    /// An empty picture with transparency.
    convenience init(width: Int, height: Int) throws(PictureError) {
        try self.init(owning: cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height)))
    }

    deinit {
        cairo_surface_destroy(pointer)
    }

    var width: Int { Int(cairo_image_surface_get_width(pointer)) }
    var height: Int { Int(cairo_image_surface_get_height(pointer)) }
    var stride: Int { Int(cairo_image_surface_get_stride(pointer)) }

    /// Rows of `stride` bytes, four bytes a pixel; `nil` if there is none.
    var pixels: UnsafeMutablePointer<UInt8>? { cairo_image_surface_get_data(pointer) }

    /// The picture as a PNG file.
    func png() throws(PictureError) -> Data {
        if let file = PNGWriter.file(self) { return file }
        let sink = ByteSink()
        let context = Unmanaged.passUnretained(sink).toOpaque()
        let status = cairo_surface_write_to_png_stream(pointer, ByteSink.write, context)
        guard status == CAIRO_STATUS_SUCCESS else { throw .drawing(CairoSurface.words(status)) }
        return sink.bytes
    }

    static func words(_ status: cairo_status_t) -> String {
        cairo_status_to_string(status).map { String(cString: $0) } ?? "unknown"
    }
}

/// Collects cairo's output.
final class ByteSink {
    var bytes = Data()

    static let write: cairo_write_func_t = { context, data, count in
        guard let context, let data else { return CAIRO_STATUS_WRITE_ERROR }
        let sink = Unmanaged<ByteSink>.fromOpaque(context).takeUnretainedValue()
        sink.bytes.append(data, count: Int(count))
        return CAIRO_STATUS_SUCCESS
    }
}
