import CCairo
import Photos

extension Bitmap {
    /// The colour of a pixel, or `nil` outside.
    public func color(x: Int, y: Int) -> Color? {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return nil }
        let start = (y * width + x) * 3
        return Color(red: pixels[start], green: pixels[start + 1], blue: pixels[start + 2])
    }

    /// The picture as a cairo surface.
    func surface() throws(PictureError) -> CairoSurface {
        let surface = try CairoSurface(width: width, height: height)
        guard let target = cairo_image_surface_get_data(surface.pointer) else { throw .drawing("no pixels") }
        for y in 0..<height {
            let row = UnsafeMutableRawPointer(target + y * surface.stride)
            var index = y * width * 3
            for x in 0..<width {
                let rgb =
                    UInt32(pixels[index]) << 16 | UInt32(pixels[index + 1]) << 8 | UInt32(pixels[index + 2])
                row.storeBytes(of: 0xFF00_0000 | rgb, toByteOffset: x * 4, as: UInt32.self)
                index += 3
            }
        }
        cairo_surface_mark_dirty(surface.pointer)
        return surface
    }
}
